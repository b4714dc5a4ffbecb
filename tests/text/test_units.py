"""Pairs that differ in numbers or units alone (case 27), and copies that only spell them otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from salitrap.text.unit_table import unit_table
from salitrap.text.units import differ_only_in_numbers_or_units, frame_of


@pytest.mark.parametrize(
    ("left", "right", "alike"),
    [
        ("It is 50 m away.", "It is 50 km away.", True),
        ("It is 50m away.", "It is 70 m away.", True),
        ("It is 50 m away.", "It is 50 m away.", False),
        ("It is 50 m away.", "It is  50 m  away.", False),
        ("It is 50 m away.", "It is 50 miles off.", False),
        ("Add 3 men to it.", "Add 3 m to it.", False),
        ("离家50米。", "离家50公里。", True),
        ("离家五十米。", "离家50米。", False),
        ("这本字典是1998年印的。", "这本字典是一九九八年印的。", False),
        ("这本字典是1998年印的。", "这本字典是一九八九年印的。", True),
        ("占了30%的地方。", "占了百分之三十的地方。", False),
        ("占了30%的地方。", "占了30的地方。", True),
        ("It does 5 km/h here.", "It does 5 mph here.", True),
        ("A 310 MB download.", "A 310 GB download.", True),
        ("It has 62 square metres now.", "It has 62 square feet now.", True),
        ("It holds 62 m³ now.", "It holds 62 litres now.", True),
        ("A 24-month wheel of cheese.", "A 24-week wheel of cheese.", True),
        ("It costs 28 euros a kilo.", "It costs 28 euros a pound.", True),
        ("How many miles is it?", "How many kilometres is it?", True),
        ("It cost $1.4 million.", "It cost £1.4 million.", True),
        ("It cost $1.4 million.", "It cost $1.4 billion.", True),
        ("It cost $40.", "It cost 40 dollars.", False),
        ("It is 50 m away.", "It is 50 metres away.", False),
        ("It uses 5 mW now.", "It uses 5 MW now.", True),
        ("He won the 3rd prize.", "He won the 4th prize.", True),
        ("It is 34 °C there.", "It is 34℃ there.", False),
        ("高45cm左右。", "高45英寸左右。", True),
        ("每斤58元。", "每公斤58元。", True),
        ("买8斤瓜。", "买8公斤瓜。", True),
        ("走了3里地。", "走了3公里地。", True),
        ("种了3亩。", "种了3公顷。", True),
        ("要5块。", "要5毛。", True),
        ("住在5楼。", "住在5层。", True),
        ("用了5度电。", "用了5千瓦时。", False),
        ("读3年级。", "读3月级。", False),
        ("要3个人。", "要3米人。", False),
        ("煮30分钟。", "煮30秒钟。", True),
        ("煮30分钟。", "煎30分钟。", False),
        ("It holds fifty litres.", "It holds sixty litres.", True),
        ("It holds fifty litres.", "It holds 50 litres.", False),
        ("It holds twenty-five litres.", "It holds thirty five litres.", True),
        ("It holds three hundred and five litres.", "It holds 305 l.", False),
        ("It took two million years.", "It took 2,000,000 years.", False),
        ("It took a thousand years.", "It took two hundred years.", True),
        ("Buy 5 dozen eggs.", "Buy 5 eggs.", True),
        ("Buy half a dozen eggs.", "Buy six eggs.", False),
        ("Walk half a mile.", "Walk nine miles.", True),
        ("Someone is here.", "None is here.", False),
        ("One dog barks.", "One cat barks.", False),
        ("It is -5 degrees.", "It is 5 degrees.", True),
        ("It is \u22125 degrees.", "It is minus five degrees.", False),
        ("It is +5 degrees.", "It is 5 degrees.", False),
        ("5 degrees below zero.", "5 degrees above zero.", True),
        ("He owes -$5.", "He owes $5.", True),
        ("Walk 10-20 km.", "Walk 10 20 km.", False),
        ("Walk 10-20 km.", "Walk 10-30 km.", True),
        ("Room B-5 it is.", "Room B5 it is.", False),
        ("Come at 8 in the morning.", "Come at 8 in the evening.", True),
        ("Come at eight o'clock at night.", "Come at eight o'clock in the morning.", True),
        ("Come at 8 a.m. then.", "Come at 8 in the morning then.", False),
        ("Come by 17:00 then.", "Come by five p.m. then.", False),
        ("Come by 8 then.", "Come by 8 a.m. then.", True),
        ("气温-5度。", "气温5度。", True),
        ("气温零下5度。", "气温零上5度。", True),
        ("气温零下五度。", "气温-5度。", False),
        ("上午8点见。", "下午8点见。", True),
        ("上午8点见。", "早上八点见。", False),
        ("凌晨3点半见。", "下午三点半见。", True),
        ("中午12点见。", "晚上12点见。", True),
        ("8点见。", "晚上8点见。", True),
        ("20点见。", "晚上8点见。", False),
        ("我上午去。", "我下午去。", False),
        ("", "", False),
    ],
)
def test_numbers_and_units_alone(left: str, right: str, alike: bool) -> None:
    assert differ_only_in_numbers_or_units(left, right) is alike
    assert differ_only_in_numbers_or_units(right, left) is alike


@given(st.text(max_size=40))
def test_a_text_never_differs_from_itself_and_white_space_is_nothing(text: str) -> None:
    assert not differ_only_in_numbers_or_units(text, text)
    assert not differ_only_in_numbers_or_units(text, f" {text} ")


def test_every_unit_is_read_whole_behind_a_number() -> None:
    """A unit that begins another (km, km/h) must not be taken for it."""
    table = unit_table()
    for spelling, name in table.names.items():
        frame = frame_of(f"~17 {spelling}~")
        assert frame.text == "~\x00~", spelling
        assert frame.quantities[0].unit in (name, spelling), spelling
