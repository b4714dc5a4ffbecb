"""A Hub on this machine for tests: what the real clients need of the real one, and faults on request.

``running_hub()`` in ``client`` starts it in a process of its own; ``conftest`` offers it as ``hub``. A test
puts faults (the fields of ``faults.Fault``) before the next requests, commits as somebody else would, and
looks at the log of requests and at what a repository really holds, all through ``RunningHub``.
"""
