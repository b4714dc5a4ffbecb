"""The authored form of a domain file: what each field holds, as pydantic models.

The schema for editors, the loader and the linter all come from here.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from salitrap.records import Language

NAME_PATTERN = r'^[^\s/\\:*?"<>|]+$'
NAME_LENGTH = 80

Text = Annotated[str, StringConstraints(pattern=r"\S")]
Name = Annotated[str, StringConstraints(pattern=NAME_PATTERN, max_length=NAME_LENGTH)]
Texts = Annotated[list[Text], Field(min_length=1)]


class Form(BaseModel):
    """Base of the authored forms: unknown fields are faults."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TripleForm(Form):
    """What filter f4 compares."""

    tool: Annotated[Text, Field(description="Main tool, vehicle or means.")]
    object: Annotated[Text, Field(description="What the action is done to.")]
    action: Annotated[Text, Field(description="What is to be done.")]


class NicheForm(Form):
    """Which corner of the domain the seed sits in; values from the domain's niches."""

    tool: Annotated[Text, Field(description="One of the tools of the domain's niches.")]
    scene: Annotated[Text, Field(description="One of the scenes of the domain's niches.")]
    life_area: Annotated[Text, Field(description="One of the life areas of the domain's niches.")]


class NichesForm(Form):
    """Corners the domain wants covered, one list per axis."""

    tools: Annotated[Texts, Field(description="Tools, vehicles and means that seeds turn on.")]
    scenes: Annotated[Texts, Field(description="Places and occasions where seeds are set.")]
    life_areas: Annotated[Texts, Field(description="Parts of life that seeds come from.")]


class SeedForm(Form):
    """One expert seed."""

    key: Annotated[Name, Field(description="Name of the seed, unique in all files used together.")]
    language: Annotated[Language, Field(description="en or zh.")]
    scenario: Annotated[Text, Field(description="Short name of the scenario; no two seeds share one.")]
    prompt: Annotated[Text, Field(description="What a person asks, with at least two numbers.")]
    trap_core: Annotated[
        Text,
        Field(
            description="One sentence: what is impossible and why, with cannot, no, not or 不能, 无法, 没有."
        ),
    ]
    ground_truth: Annotated[Text, Field(description="What a right answer must say.")]
    injected_numbers: Annotated[
        list[Text], Field(description="Every numeral of the prompt, verbatim, in order, quoted.")
    ]
    triple: Annotated[TripleForm, Field(description="Tool, object and action; no two seeds share all three.")]
    preserve: Annotated[list[Text], Field(description="Surface features that rewriting must keep.")]
    avoid: Annotated[list[Text], Field(description="Features that rewriting must avoid.")]
    niche: Annotated[NicheForm, Field(description="The corner of the domain that the seed sits in.")]


class DomainForm(Form):
    """A domain file, seeds apart from their own checks."""

    tag: Annotated[Name, Field(description="Short tag of the dimension, such as D1.")]
    name: Annotated[dict[Language, Text], Field(min_length=1, description="Name per language.")]
    definition: Annotated[
        dict[Language, Text],
        Field(min_length=1, description="What makes a trap of this domain, per language."),
    ]
    niches: Annotated[dict[Language, NichesForm], Field(min_length=1, description="Niches per language.")]
    seeds: Annotated[list[SeedForm], Field(description="Expert seeds, both languages in one list.")]


FIELD_NAMES = frozenset(
    (
        *(
            name
            for form in (DomainForm, SeedForm, TripleForm, NicheForm, NichesForm)
            for name in form.model_fields
        ),
        *(language.value for language in Language),
    )
)


def fields_at(at: tuple[str | int, ...]) -> tuple[str, ...]:
    """Names of the fields of the mapping at a key path of a domain file, in their order."""
    names = tuple(step for step in at if isinstance(step, str))
    form: type[Form] = NichesForm if names[:1] == ("niches",) else DomainForm
    for field, inner in (("seeds", SeedForm), ("triple", TripleForm), ("niche", NicheForm)):
        form = inner if field in names else form
    return tuple(form.model_fields)
