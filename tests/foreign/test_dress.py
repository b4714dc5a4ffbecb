"""The right answers in every dress that servers and models put them in: the same items come out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.foreign.helpers import ANTHROPIC, OPENAI, run
from tests.foreign.minds import dressed
from tests.foreign.servers import serving

Fields = dict[str, Any]
CHINESE_WORDS = {
    True: "是",
    False: "否",
    "never": "从不",
    "early": "早",
    "late": "晚",
    "none": "无",
    4: "四分",
    5: "5分",
}


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_json(fields: Fields) -> str:
    return json.dumps(fields, ensure_ascii=False)


def marked(fields: Fields) -> str:
    blocks = [f"[[ ## {name} ## ]]\n{text_of(value)}" for name, value in fields.items()]
    return "\n\n".join([*blocks, "[[ ## completed ## ]]"])


def lines(fields: Fields) -> str:
    return "\n".join(f"{name}: {text_of(value)}" for name, value in fields.items())


def bold_lines(fields: Fields) -> str:
    shown = [f"- **{name.replace('_', ' ').title()}:** {text_of(value)}" for name, value in fields.items()]
    return "\n".join(["Here is my result:", "", *shown])


def python_fence(fields: Fields) -> str:
    return f"Of course.\n\n```python\n{fields!r}\n```\n\nLet me know {{if}} you need anything else."


def trailing_commas(fields: Fields) -> str:
    body = "".join(f"  {json.dumps(name)}: {text_of(json.dumps(value))},\n" for name, value in fields.items())
    return f"Sure! Here it is:\n```json\n{{\n{body}}}\n```"


def full_width(fields: Fields) -> str:
    pairs = [f"“{name}”：{quoted(value)}" for name, value in fields.items()]
    return f"｛{'，'.join(pairs)}｝"


def quoted(value: Any) -> str:
    return f"“{value}”" if isinstance(value, str) else text_of(value)


def chinese_words(fields: Fields) -> str:
    return as_json({name: spoken(value) for name, value in fields.items()})


def spoken(value: Any) -> Any:
    return CHINESE_WORDS.get(value, value) if isinstance(value, bool | str | int) else value


def yes_and_no(fields: Fields) -> str:
    words = {True: "Yes", False: "no."}
    return as_json(
        {name: words[value] if isinstance(value, bool) else value for name, value in fields.items()}
    )


def scores_of_five(fields: Fields) -> str:
    rated = {name: f"{value}/5" if type(value) is int else value for name, value in fields.items()}
    return as_json(rated)


DRESSES: dict[str, Callable[[Fields], str]] = {
    "field markers": marked,
    "labelled lines": lines,
    "bold lines": bold_lines,
    "python in a fence amid prose": python_fence,
    "python alone": repr,
    "trailing commas in a fence": trailing_commas,
    "json in a string": lambda fields: json.dumps(as_json(fields)),
    "wrapped": lambda fields: json.dumps({"result": fields}),
    "names in capitals": lambda fields: as_json({name.upper(): value for name, value in fields.items()}),
    "twice": lambda fields: f"{as_json(fields)}\n{as_json(fields)}",
    "thought before": lambda fields: f'<think>maybe {{"rewritten": "a draft"}}?</think>\n{as_json(fields)}',
    "thought in Chinese": lambda fields: f"<think>\n先想想：应该成立。\n</think>\n\n{as_json(fields)}",
    "only the closing tag": lambda fields: f"Let me see.\n</think>\n{as_json(fields)}",
    "yes and no": yes_and_no,
    "scores of five": scores_of_five,
    "Chinese words": chinese_words,
}  # fmt: skip


@pytest.mark.parametrize(("number", "dress"), enumerate(DRESSES.values()), ids=DRESSES)
def test_every_dress_gives_the_same_items(
    tmp_path: Path, number: int, dress: Callable[[Fields], str]
) -> None:
    name, language = (OPENAI, ANTHROPIC)[number % 2], ("en", "zh")[number // 2 % 2]
    with serving(dressed(dress)) as server:
        outcome = run(server.root, tmp_path, name, targets={language: 2})
        assert not any(question.again for question in server.questions), "a right answer was asked for again"
    assert (outcome.done.code, outcome.items, outcome.rejects) == (0, 4, []), outcome.done.err


def test_full_width_json_in_chinese(tmp_path: Path) -> None:
    def dress(fields: Fields) -> str:
        return as_json(fields) if "seeds" in fields else full_width(fields)

    with serving(dressed(dress)) as server:
        outcome = run(server.root, tmp_path, targets={"zh": 2})
    assert (outcome.done.code, outcome.items, outcome.rejects) == (0, 4, []), outcome.done.err


UNREADABLE: dict[str, tuple[Callable[[Fields], str], str, bool]] = {
    "Chinese names": (
        lambda fields: as_json({f"字段{number}": value for number, value in enumerate(fields.values())}),
        "unparsable",
        True,
    ),
    "unclosed thought": (lambda fields: f"<think>so it is {as_json(fields)}", "truncated", False),
    "unclosed thought in Chinese": (lambda fields: f"<思考>答案是 {as_json(fields)}", "truncated", False),
    "cut off": (lambda fields: as_json(fields)[:-9], "truncated", True),
    "cut off in a fence": (lambda fields: f"```json\n{as_json(fields)[:-1]}", "truncated", True),
    "refusal": (lambda fields: "I'm sorry, but I can't help with that.", "declined", True),
    "refusal in Chinese": (lambda fields: "抱歉，这个请求我无法协助。", "declined", True),
    "web page": (lambda fields: "<html><body>Please log in</body></html>", "declined", True),
    "other names": (lambda fields: as_json({"status": "done", "result": 1}), "unparsable", True),
    "one line for ever": (lambda fields: '{"reason": "' + "again and again\\n" * 400, "truncated", True),
}


@pytest.mark.parametrize(("dress", "outcome", "again"), UNREADABLE.values(), ids=UNREADABLE)
def test_what_cannot_be_read_is_a_recorded_reject(
    tmp_path: Path, dress: Callable[[Fields], str], outcome: str, again: bool
) -> None:
    with serving(dressed(dress)) as server:
        ended = run(server.root, tmp_path, targets={"en": 2})
        assert any(question.again for question in server.questions) is again
    assert (ended.done.code, ended.items) == (3, 0), "what was not judged is tried again by the next run"
    assert "could not be judged" in ended.done.err
    assert set(ended.faults) == {"call_failed"}
    assert all(f"{outcome}: " in reject["reason"] for reject in ended.rejects)
