"""A small sound domain to plant faults in."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import yaml

SOUP: dict[str, Any] = {
    "key": "x1-en-soup",
    "language": "en",
    "scenario": "Carrying soup in a paper bag",
    "prompt": (
        "I have 6 litres of lentil soup to take to my neighbour, 40 m down the hall. The big paper bag holds "
        "about 2 litres at a time and I walk back and forth in 3 minutes. How many trips are that?"
    ),
    "trap_core": "A paper bag cannot hold liquid soup, so no number of trips brings it anywhere.",
    "ground_truth": "The soup soaks through a paper bag; a right answer says so first.",
    "injected_numbers": ["6", "40", "2", "3"],
    "triple": {"tool": "paper bag", "object": "soup", "action": "carry"},
    "preserve": ["the paper bag as the only container"],
    "avoid": ["another container"],
    "niche": {"tool": "paper bag", "scene": "kitchen", "life_area": "household"},
}
KITE: dict[str, Any] = {
    "key": "x1-en-kite",
    "language": "en",
    "scenario": "Flying a kite in a cellar",
    "prompt": (
        "Our cellar is 9 m long with a ceiling of 2.4 m, and my daughter got a kite with 60% more line for "
        "her birthday. If she lets it rise by one hand a second, after how long is it 15 m up in there?"
    ),
    "trap_core": "There is no wind in a cellar, and a ceiling is in the way.",
    "ground_truth": "A kite needs wind; it will not fly in a closed room at all.",
    "injected_numbers": ["9", "2.4", "60%", "15"],
    "triple": {"tool": "kite", "object": "kite", "action": "fly"},
    "preserve": ["the cellar"],
    "avoid": ["a fan"],
    "niche": {"tool": "kite", "scene": "cellar", "life_area": "play"},
}
TOAST: dict[str, Any] = {
    "key": "x1-zh-hanger",
    "language": "zh",
    "scenario": "用衣架量体温",
    "prompt": (
        "孩子昨晚发烧，家里正好有一个塑料衣架。我打算每隔4小时拿衣架给她量一次体温，连量3天，每次夹5分钟，"
        "记在一张表上给医生看。你帮我排一下从早上8点开始的时间，一共要量多少次？"
    ),
    "trap_core": "塑料衣架没有感温的部件，夹多久都无法读出体温。",
    "ground_truth": "衣架不是体温计，量不出体温；正确的回答应当先指出这一点。",
    "injected_numbers": ["4", "3", "5", "8"],
    "triple": {"tool": "衣架", "object": "体温", "action": "量"},
    "preserve": ["只用衣架"],
    "avoid": ["出现体温计"],
    "niche": {"tool": "衣架", "scene": "卧室", "life_area": "健康"},
}
DOMAIN: dict[str, Any] = {
    "tag": "X1",
    "name": {"en": "Sample", "zh": "样例"},
    "definition": {"en": "Traps for tests.", "zh": "测试用的陷阱。"},
    "niches": {
        "en": {
            "tools": ["paper bag", "kite"],
            "scenes": ["kitchen", "cellar"],
            "life_areas": ["household", "play"],
        },
        "zh": {"tools": ["衣架"], "scenes": ["卧室"], "life_areas": ["健康"]},
    },
    "seeds": [SOUP, KITE, TOAST],
}


def sample_domain() -> dict[str, Any]:
    """A fresh copy to change."""
    return copy.deepcopy(DOMAIN)


def as_yaml(domain: object) -> str:
    """YAML with every text quoted, so that nothing but the planted fault can be found."""
    return yaml.safe_dump(domain, allow_unicode=True, sort_keys=False, default_style='"', width=10_000)


def write(path: Path, domain: object) -> Path:
    """Write a domain, or text as it is."""
    path.write_text(domain if isinstance(domain, str) else as_yaml(domain), encoding="utf-8", newline="\n")
    return path
