"""The one-parameter logistic model of item response theory: abilities, difficulties and how well they fit."""

from exports.analysis.studies.irt.responses import Responses, responses_of
from exports.analysis.studies.irt.scale import scale_of

__all__ = ["Responses", "responses_of", "scale_of"]
