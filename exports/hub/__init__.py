"""Releases on the Hugging Face Hub: plan, publish, verify, fetch."""

from exports.hub.address import HubAddress, parse_address
from exports.hub.fetch import Fetched, fetch_release
from exports.hub.options import PublishOptions
from exports.hub.plan import Operation, PublishPlan
from exports.hub.publish import Published, plan_publication, publish
from exports.hub.verify import RemoteCheck, verify_release

__all__ = [
    "Fetched",
    "HubAddress",
    "Operation",
    "PublishOptions",
    "PublishPlan",
    "Published",
    "RemoteCheck",
    "fetch_release",
    "parse_address",
    "plan_publication",
    "publish",
    "verify_release",
]
