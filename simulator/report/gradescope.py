"""A check in the format of Gradescope's autograder: a test for each step.

Source: https://gradescope-autograders.readthedocs.io/en/latest/specs/
"""

from typing import Any

from simulator.report.document import as_text
from simulator.report.student import NOT_DONE, step_blocks
from simulator.submission.findings import CheckReport, Step

VISIBILITY = "visible"


def gradescope_json(report: CheckReport, points: float, seconds: float) -> dict[str, Any]:
    """The results. Steps share the points equally; a step that was not done, or found a fault, gets none."""
    share = points / len(report.steps)
    passed = sum(step.passed for step in report.steps)
    found = report.faults
    advice = "It can play." if report.passed else f"Correct this first: {found[0].text}\n-> {found[0].advice}"
    return {
        "score": round(share * passed, 4),
        "execution_time": round(seconds),
        "output": f"{passed} of {len(report.steps)} steps passed. {advice}",
        "visibility": VISIBILITY,
        "tests": [_test(step, share) for step in report.steps],
    }


def _test(step: Step, share: float) -> dict[str, Any]:
    return {
        "name": step.name,
        "number": str(step.number),
        "score": round(share, 4) if step.passed else 0,
        "max_score": round(share, 4),
        "status": "passed" if step.passed else "failed",
        "output": as_text(step_blocks(step)) if step.findings else NOT_DONE,
        "visibility": VISIBILITY,
    }
