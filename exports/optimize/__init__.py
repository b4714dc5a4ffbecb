"""Better instructions for a judge from labelled answers: searched for on one half, measured on the other."""

from exports.optimize.bridge import Bridge, Halted
from exports.optimize.estimate import plan_optimization
from exports.optimize.examples import Parts, parts_of
from exports.optimize.files import prompt_file, refuse_existing, save_prompts
from exports.optimize.methods import Method
from exports.optimize.run import Improvement, Workshop, improve, parent_of
from exports.optimize.setup import optimizing_settings

__all__ = [
    "Bridge",
    "Halted",
    "Improvement",
    "Method",
    "Parts",
    "Workshop",
    "improve",
    "optimizing_settings",
    "parent_of",
    "parts_of",
    "plan_optimization",
    "prompt_file",
    "refuse_existing",
    "save_prompts",
]
