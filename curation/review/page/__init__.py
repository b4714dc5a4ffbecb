"""The review as a page on this machine: server-rendered, without a build step, usable without scripts."""

from curation.review.page.serve import Address, serve

__all__ = ["Address", "serve"]
