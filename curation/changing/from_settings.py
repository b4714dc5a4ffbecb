"""What follows from settings that differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from curation.changing.differences import Difference, differences, named
from curation.changing.effects import DECIDED
from curation.changing.given import Change, Found, in_words
from curation.changing.kinds import Effect, Lost, stage_roles
from curation.changing.replies import Replies, counted, from_endpoint
from curation.fingerprints import JUDGE_PROMPTS, uses_lab
from salitrap.records import Role, Stage
from salitrap.settings import Policy, RoleSettings, Settings

STAYS = "replies of the endpoints that stay serve: decided anew from them"
SCALE = "scale"


def setting_changes(before: Settings, now: Settings, replies: Sequence[Replies]) -> Iterator[Found]:
    """Yield every setting that differs; ``replies`` are those that served until now."""
    for one in differences(before, now):
        yield _found(one, before, now, replies)


def _found(one: Difference, before: Settings, now: Settings, replies: Sequence[Replies]) -> Found:
    loses, surely = _loses(one, before, now), _surely(one, before, now)
    lost, effect = counted(replies, loses), one.effect
    stays = effect.lost is Lost.ENDPOINTS and one.role is not None and _all_stay(one.role, before, now)
    change = Change(
        name=one.name,
        before=one.before,
        now=one.now,
        consequence=STAYS if stays else _told(effect, one.role, now, in_words(lost, surely=bool(surely))),
        anew=_simulated_stages(now) if effect.lost is Lost.LAB else effect.stages(one.role, now),
        lost=lost,
        decides=effect.decides and not stays,
    )
    return Found(change, loses, surely)


def _told(effect: Effect, role: Role | None, settings: Settings, lost: str) -> str:
    if effect.of_role and role is not None and not effect.stages(role, settings):
        return "nothing of this role depends on it: nothing is done again"
    return effect.told.format(role=role.value if role else "", what=DECIDED[role] if role else "", lost=lost)


def _loses(one: Difference, before: Settings, now: Settings) -> Callable[[Replies], bool]:
    """A test for replies that cannot serve under the difference alone, at most."""
    match one.effect.lost:
        case Lost.NONE:
            return lambda replies: False
        case Lost.ROLE:
            return lambda replies: replies.role is one.role
        case Lost.LAB:
            return lambda replies: replies.simulated
        case Lost.LABELS:
            return lambda replies: replies.prompt_id in JUDGE_PROMPTS
        case Lost.SCALING:
            return lambda replies: replies.prompt_id == SCALE
        case Lost.FILE:
            assert one.role is not None
            return _of_other_files(one.role, now.roles[one.role])
        case Lost.ENDPOINTS:
            assert one.role is not None
            return _losing_endpoints(one.role, before.roles[one.role], now.roles[one.role])


def _losing_endpoints(role: Role, before: RoleSettings, now: RoleSettings) -> Callable[[Replies], bool]:
    if by_turns(now):
        return lambda replies: replies.role is role
    return lambda replies: (
        replies.role is role and not any(from_endpoint(replies, endpoint) for endpoint in now.endpoints)
    )


def _of_other_files(role: Role, now: RoleSettings) -> Callable[[Replies], bool]:
    """Replies of model files that are not there any more."""
    return lambda replies: (
        replies.role is role
        and replies.from_file
        and not any(from_endpoint(replies, endpoint) for endpoint in now.endpoints)
    )


def by_turns(pool: RoleSettings) -> bool:
    """True when the place of a call decides which endpoint serves it."""
    return pool.policy is Policy.ROUND_ROBIN and len(pool.endpoints) > 1


def _all_stay(role: Role, before: Settings, now: Settings) -> bool:
    """True when every endpoint of before may still serve any call."""
    old, new = before.roles[role], now.roles[role]
    return not by_turns(new) and {named(one) for one in old.endpoints} <= {
        named(one) for one in new.endpoints
    }


def _surely(one: Difference, before: Settings, now: Settings) -> tuple[Role, ...]:
    """Roles of which no reply serves under the difference, whatever is asked."""
    match one.effect.lost:
        case Lost.ROLE:
            return (one.role,) if one.role else ()
        case Lost.LAB:
            return tuple(_simulated_roles(now))
        case Lost.ENDPOINTS:
            assert one.role is not None
            old, new = before.roles[one.role], now.roles[one.role]
            gone = {named(end) for end in old.endpoints}.isdisjoint(named(end) for end in new.endpoints)
            return (one.role,) if gone else ()
        case _:
            return ()


def _simulated_stages(settings: Settings) -> tuple[Stage, ...]:
    """Stages in which a simulated model has a part."""
    simulated = _simulated_roles(settings)
    return tuple(stage for stage, roles in stage_roles(settings).items() if not simulated.isdisjoint(roles))


def _simulated_roles(settings: Settings) -> set[Role]:
    return {role for role, pool in settings.roles.items() if uses_lab(pool)}
