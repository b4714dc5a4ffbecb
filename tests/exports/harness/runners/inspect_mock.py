"""Run a task with Inspect's mock model as solver and grader. Usage: TASK POLICY LOGS [ARGUMENT=VALUE ...]"""

from __future__ import annotations

import json
import sys
from typing import Any

import policy
from inspect_ai import eval as run
from inspect_ai.model import ChatMessage, Model, ModelOutput, ModelUsage, get_model


def output(text: str, stop_reason: Any = "stop") -> ModelOutput:
    """With its usage: otherwise the mock model counts tokens with a vocabulary that it downloads."""
    made = ModelOutput.from_content("mockllm", text, stop_reason)
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made


def exhibits(messages: list[ChatMessage]) -> dict[str, str]:
    """What the grader is shown."""
    assert [message.role for message in messages] == ["system", "user"]
    shown: dict[str, str] = json.loads(messages[1].text.split("\n\n", 1)[1])
    assert set(shown) == {"prompt", "trap_core", "ground_truth", "answer"}
    return shown


def item_solver(messages: list[ChatMessage], *_: Any) -> ModelOutput:
    assert [message.role for message in messages] == ["user"]
    cut = policy.ITEMS[policy.item_number(messages[0].text)] == "truncated"
    return output(policy.item_answer(messages[0].text), "max_tokens" if cut else "stop")


def item_grader(messages: list[ChatMessage], *_: Any) -> ModelOutput:
    shown = exhibits(messages)
    assert "<think>" not in shown["answer"]
    length = 18 if messages[0].text.isascii() else 10
    return output(policy.item_verdict(shown["prompt"], messages[0].text[:length]))


def talk_solver(messages: list[ChatMessage], *_: Any) -> ModelOutput:
    return output(policy.turn_answer([message.text for message in messages if message.role == "user"]))


def talk_grader(messages: list[ChatMessage], *_: Any) -> ModelOutput:
    return output(policy.turn_verdict(exhibits(messages)["answer"]))


def pass_grader(messages: list[ChatMessage], *_: Any) -> ModelOutput:
    """Of eval.yaml: pass or fail, or a grade in the middle of a reply, which is none."""
    asked = messages[0].text
    planned = policy.ITEMS[policy.item_number(asked.split("[Request]: ")[1].split("\n****")[0])]
    if planned == "prose":
        return output("GRADE: C is what I would say, but I am not done")
    return output(f"It says so.\nGRADE: {'C' if planned == 'Pass' else 'I'}")


PAIRS = {
    "items": (item_solver, item_grader),
    "dialogues": (talk_solver, talk_grader),
    "pass": (item_solver, pass_grader),
    "itself": (item_solver, None),
}


def mock(name: str, answers: Any) -> Model:
    return get_model(f"mockllm/{name}", custom_outputs=answers)


if __name__ == "__main__":
    task, pair, logs, *arguments = sys.argv[1:]
    solver, grader = PAIRS[pair]
    roles = {"grader": mock("grader", grader) if grader else mock("solver", item_solver)}
    given = dict(argument.split("=", 1) for argument in arguments)
    (log,) = run(
        task,
        model=mock("solver", solver),
        model_roles=roles,
        task_args={key: int(value) if value.isdigit() else value for key, value in given.items()},
        display="none",
        log_format="json",
        log_dir=logs,
    )
    sys.stdout.write(f"{log.status} {log.error.message if log.error else ''}\n")
