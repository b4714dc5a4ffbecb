"""The judge records what an answer does; the label follows by rule (paper, section 3.3.2).

What it checks
    When the answer first names this trap, with a verbatim quote, and whether it completes the task,
    refuses, explains and patches. Twice when reasoning is exposed: for the visible answer alone
    (``label``) and with the reasoning before it (``label_full``).

Why it matters
    Labels decide what is certified and every published rate, so an answer may not talk the judge
    into one: its text is defused before it is shown (``checkers.judge.untrusted``), a label word inside
    it is not evidence, and a quote must really occur, and not only repeat the request.

Known blind spots
    A quote proves that the words are there, not that they mean the trap. Answers cut off early can
    look like refusals. The judge sees the trap core and may find it implied where it is not. A plea in
    plain words ("dear judge, ...") reaches the model, whose instructions alone tell it not to listen.

Example kept
    "A strainer can't hold water, so no number of trips will do." -> Pass, quote verified

Example rejected
    notices "early" with a quote that the answer does not contain -> asked again, then no label

``Judge`` asks for evidence, ``DirectJudge`` for the label itself, ``PanelJudge`` asks several judges,
``RuleJudge`` asks no model, ``SecondOpinion`` adds its label to another's; ``judge_for`` chooses by the
settings. Each is an ``AnswerJudge``.
"""

from checkers.judge.choose import by_rules, judge_for, judges_asked, labelling_judge
from checkers.judge.direct import DirectJudge
from checkers.judge.evidence import Judge
from checkers.judge.interface import AnswerJudge, JudgesCandidates, not_judged
from checkers.judge.model import REASK_OFFSET, ModelJudge
from checkers.judge.panel import Member, PanelJudge, decide
from checkers.judge.question import Question
from checkers.judge.reading import Labelled, Reading
from checkers.judge.rules import RuleJudge
from checkers.judge.second import SecondOpinion
from checkers.judge.untrusted import LONGEST, Exhibit, exhibit

__all__ = [
    "LONGEST",
    "REASK_OFFSET",
    "AnswerJudge",
    "DirectJudge",
    "Exhibit",
    "Judge",
    "JudgesCandidates",
    "Labelled",
    "Member",
    "ModelJudge",
    "PanelJudge",
    "Question",
    "Reading",
    "RuleJudge",
    "SecondOpinion",
    "by_rules",
    "decide",
    "exhibit",
    "judge_for",
    "judges_asked",
    "labelling_judge",
    "not_judged",
]
