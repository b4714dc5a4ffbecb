"""How many seeds are in flight when nobody says."""

from __future__ import annotations

import pytest

from salitrap.settings import Settings


def settings(in_flight: dict[str, list[int]], **limits: int) -> Settings:
    roles = {
        role: {
            "endpoints": [
                {"spec": f"lab/{role}-{place}", "in_flight": slots} for place, slots in enumerate(pool)
            ]
        }
        for role, pool in in_flight.items()
    }
    return Settings.model_validate({"roles": roles, "limits": limits})


@pytest.mark.parametrize(
    ("pools", "limits", "wanted"),
    [
        ({}, {}, 32),
        ({"judge": [4]}, {}, 32),
        ({"judge": [60], "checker": [50]}, {}, 60),
        ({"judge": [60], "solver": [64, 64, 64]}, {}, 192),
        ({"solver": [64, 64, 64]}, {"seeds_in_flight": 3}, 3),
    ],
)
def test_as_many_as_the_largest_pool_has_slots(
    pools: dict[str, list[int]], limits: dict[str, int], wanted: int
) -> None:
    assert settings(pools, **limits).seeds_at_a_time == wanted
