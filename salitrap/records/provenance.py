"""Where a text or a verdict came from."""

from __future__ import annotations

from salitrap.records.base import Record


class Provenance(Record):
    """One model call, as far as a reader of the result needs it.

    ``model`` is the configured spec, ``returned_model`` what the provider said it was,
    ``prompt`` an ``id@version/language``, empty for a bare message. ``call_key`` finds the
    row in the journal.
    """

    model: str
    returned_model: str = ""
    prompt: str = ""
    prompt_sha256: str = ""
    call_key: str = ""
    simulated: bool = False
