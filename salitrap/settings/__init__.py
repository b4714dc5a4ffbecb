"""Settings of a run: one section a stage, roles with their pools, budget and limits."""

from salitrap.settings.calibration import CalibrationSettings
from salitrap.settings.endpoints import EndpointSettings, GgufSettings, Policy, RoleSettings
from salitrap.settings.judging import JudgingSettings
from salitrap.settings.load import load_settings
from salitrap.settings.model import (
    Budget,
    BuildSettings,
    CertifySettings,
    LabSettings,
    Limits,
    MeaningSettings,
    RefineSettings,
    ScaleSettings,
    ScoreWeights,
    Settings,
    SimilaritySettings,
    ValidateSettings,
)
from salitrap.settings.screening import ScreenCategory, ScreeningSettings

__all__ = [
    "Budget",
    "BuildSettings",
    "CalibrationSettings",
    "CertifySettings",
    "EndpointSettings",
    "GgufSettings",
    "JudgingSettings",
    "LabSettings",
    "Limits",
    "MeaningSettings",
    "Policy",
    "RefineSettings",
    "RoleSettings",
    "ScaleSettings",
    "ScoreWeights",
    "ScreenCategory",
    "ScreeningSettings",
    "Settings",
    "SimilaritySettings",
    "ValidateSettings",
    "load_settings",
]
