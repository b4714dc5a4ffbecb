"""Which models answer and which one judges: the settings of an evaluation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from exports.evaluation.setup import Model, Setup
from salitrap.errors import ConfigError
from salitrap.providers.spec import Provider, parse_spec
from salitrap.records.base import Record
from salitrap.records.enums import Role
from salitrap.records.ids import sha256_text
from salitrap.settings import Budget, EndpointSettings, Policy, RoleSettings, Settings

ENDPOINT_DIGITS = 8
SOLVER = RoleSettings(
    endpoints=(EndpointSettings(spec="lab/none"),),
    policy=Policy.ROUND_ROBIN,
    temperature=0.2,
    max_tokens=8192,
    attempt_timeout=240.0,
)
JUDGE = RoleSettings(endpoints=(EndpointSettings(spec="lab/none"),), temperature=0.1, max_tokens=1000)
"""Sampling as in the paper (section 3.3.2) unless settings or options say otherwise."""


class EvalOptions(Record):
    """What the command line may say; None leaves it to the settings file or the defaults.

    Several judges are a panel.
    """

    models: tuple[str, ...] = ()
    judge: str | tuple[str, ...] | None = None
    judge_mode: Literal["evidence", "direct"] | None = None
    key_env: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    max_calls: int | None = None
    in_flight: int | None = None
    prompts: str | None = None

    @property
    def judges(self) -> tuple[str, ...]:
        """Specs of the judges that are named."""
        return (self.judge,) if isinstance(self.judge, str) else self.judge or ()


def evaluation_settings(options: EvalOptions, base: Settings | None = None) -> Settings:
    """Settings with one solver endpoint for each model and one pool of judges.

    ``base`` is a settings file: its solver pool gives the models, and its judge pool the judge, where
    ``options`` name none; its limits, budget and lab hold.

    Raises:
        ConfigError: no model or no judge is named, or a spec is not understood.
    """
    solver = _pool(SOLVER, Role.SOLVER, options.models, options, base, "--model")
    judge = _pool(JUDGE, Role.JUDGE, options.judges, options, base, "--judge")
    sampling = {"temperature": options.temperature, "max_tokens": options.max_tokens}
    changed = {name: value for name, value in sampling.items() if value is not None}
    roles = {
        Role.SOLVER: solver.model_copy(update={**changed, "policy": Policy.ROUND_ROBIN}),
        Role.JUDGE: judge,
    }
    settings = base.model_copy(update={"roles": roles}) if base else Settings(name="evaluation", roles=roles)
    settings = _judging(settings, options)
    if options.prompts is not None:
        settings = settings.model_copy(update={"prompts": options.prompts})
    if options.max_calls is not None:
        budget = Budget(**{**settings.budget.model_dump(), "calls": options.max_calls})
        settings = settings.model_copy(update={"budget": budget})
    return settings


def judging_settings(options: EvalOptions, base: Settings | None = None) -> Settings:
    """Settings with a pool of judges alone, for answers that exist already.

    Raises:
        ConfigError: no judge is named, or a spec is not understood.
    """
    with_solver = options.model_copy(update={"models": ("lab/none",)})
    settings = evaluation_settings(with_solver, base)
    return settings.model_copy(update={"roles": {Role.JUDGE: settings.roles[Role.JUDGE]}})


def model_names(settings: Settings) -> tuple[str, ...]:
    """Names of the evaluated models, by slot: ``provider/NAME``, or the whole spec where two are alike."""
    endpoints = settings.roles[Role.SOLVER].endpoints
    short = [_short(endpoint) for endpoint in endpoints]
    return tuple(
        name if short.count(name) == 1 else endpoint.spec
        for name, endpoint in zip(short, endpoints, strict=True)
    )


def models_of(settings: Settings) -> tuple[Model, ...]:
    """The evaluated models by slot, and how each is asked."""
    pool = settings.roles[Role.SOLVER]
    named = zip(model_names(settings), pool.endpoints, strict=True)
    return tuple(
        Model(name, Setup(pool.temperature, pool.max_tokens, endpoint_id(endpoint)))
        for name, endpoint in named
    )


def endpoint_id(endpoint: EndpointSettings) -> str:
    """A short hash of the address, so that rows tell servers apart without naming them; empty without one."""
    address = parse_spec(endpoint.spec, endpoint.base_url).base_url
    return sha256_text(address)[:ENDPOINT_DIGITS] if address else ""


def judge_name(settings: Settings) -> str:
    """Name of the judge as written into every row: the endpoints of its pool, in order.

    Those of a panel are joined by ``+``; ``(direct)`` follows where labels are not drawn from evidence.
    """
    between = " + " if settings.judging.panel == "all" else ", "
    names = between.join(_short(endpoint) for endpoint in settings.roles[Role.JUDGE].endpoints)
    return names if settings.judging.mode == "evidence" else f"{names} ({settings.judging.mode})"


def refuse_self_judging(models: Iterable[str], settings: Settings) -> None:
    """No judge may also be an evaluated model, whatever the provider or address (method, stage 2).

    Raises:
        ConfigError: one is.
    """
    judges = {bare_name(_short(endpoint)): endpoint.spec for endpoint in settings.roles[Role.JUDGE].endpoints}
    for model in models:
        if spec := judges.get(bare_name(model)):
            raise ConfigError(
                f"{model} is evaluated and {spec} judges: a model must not judge its own answers; "
                "choose another judge"
            )


def bare_name(model: str) -> str:
    """The model's own name in lower case, without provider, organisation and address."""
    without_address = model.partition("@http")[0]
    return without_address.rpartition("/")[2].casefold()


def _judging(settings: Settings, options: EvalOptions) -> Settings:
    """``settings`` with the mode of the options, and with a panel where these name several judges."""
    changed: dict[str, str] = {}
    if options.judge_mode is not None:
        changed["mode"] = options.judge_mode
    roles = dict(settings.roles)
    if len(options.judges) > 1:
        changed["panel"] = "all"
        roles[Role.JUDGE] = roles[Role.JUDGE].model_copy(update={"policy": Policy.ROUND_ROBIN})
    judging = settings.judging.model_copy(update=changed)
    return settings.model_copy(update={"roles": roles, "judging": judging})


def _short(endpoint: EndpointSettings) -> str:
    return parse_spec(endpoint.spec, endpoint.base_url).short


def _pool(  # two roles share it
    default: RoleSettings,
    role: Role,
    specs: Sequence[str],
    options: EvalOptions,
    base: Settings | None,
    flag: str,
) -> RoleSettings:
    given = base.roles[role] if base is not None and role in base.roles else None
    pool = given or default
    if specs:
        _refuse_repeats(specs, flag)
        endpoints = tuple(_endpoint(spec, options, given) for spec in specs)
        return pool.model_copy(update={"endpoints": endpoints})
    if given is None:
        raise ConfigError(f"no {role.value} is named; give {flag} SPEC, or a settings file with -c")
    for endpoint in given.endpoints:
        parse_spec(endpoint.spec, endpoint.base_url)
    return given


def _endpoint(spec: str, options: EvalOptions, given: RoleSettings | None) -> EndpointSettings:
    """The endpoint of a spec; one that the settings file describes is taken from there."""
    described = next((known for known in given.endpoints if known.spec == spec), None) if given else None
    parsed = parse_spec(spec)
    if described is not None:
        return described
    needs_key = parsed.provider not in (Provider.LAB, Provider.RULES) and parsed.key_env is None
    endpoint = EndpointSettings(spec=spec, api_key_env=options.key_env if needs_key else None)
    return (
        endpoint
        if options.in_flight is None
        else endpoint.model_copy(update={"in_flight": options.in_flight})
    )


def _refuse_repeats(specs: Sequence[str], flag: str) -> None:
    for spec in specs:
        if specs.count(spec) > 1:
            raise ConfigError(f"{flag} {spec} is given twice; give it once (--repeats asks several times)")
