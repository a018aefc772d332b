"""The commands of a game in lines of text that ask for advice: a hint, all moves ranked, the coach; and lists."""

from typing import TYPE_CHECKING, Any

from agents.agent import AgentError
from simulator.play.coach import Judgement
from simulator.play.names import side_name
from simulator.play.thinker import AgentFailed
from simulator.referee.verdicts import counted
from simulator.terminal.texts import analysis_text, moves_text, played_text, ranked_text

if TYPE_CHECKING:
    from simulator.terminal.play import Session

ANALYSIS_SECONDS = 2.0
OVER = "The game is over."


def _positions(session: "Session") -> list[Any] | None:
    """The game up to the position that is looked at; None, which is said, if it is over there."""
    played = session.played
    positions = played.line[: played.shown + 1]
    if positions[-1].result is not None or (played.is_over and not played.is_looking_back):
        session.screen.say(OVER)
        return None
    return positions


def hint(session: "Session", _argument: str = "") -> None:
    """Show what the adviser would play."""
    positions = _positions(session)
    if positions is None:
        return
    try:
        session.compile(session.settings.hints)
        adviser = session.agents.adviser
        answer = session.waited(adviser.move(positions), f"{adviser.name} is thinking ...")
    except (AgentFailed, AgentError) as fault:
        session.screen.say_wrapped(f"No hint: {fault}.")
        return
    what = "resign" if answer.move is None else f"play {session.played.game.format_move(answer.move)}"
    session.screen.say_wrapped(f"{adviser.name} would {what}. {analysis_text(answer.analysis)}", "  ")


def analyze(session: "Session", _argument: str = "") -> None:
    """Rank all moves of the position that is looked at."""
    positions = _positions(session)
    if positions is None:
        return
    try:
        session.compile(session.settings.hints)
        adviser = session.agents.adviser
        ranked = session.waited(adviser.study(positions, ANALYSIS_SECONDS), f"{adviser.name} looks at every move ...")
    except (AgentFailed, AgentError) as fault:
        session.screen.say_wrapped(f"No analysis: {fault}.")
        return
    mover = side_name(session.played.game, positions[-1].to_move)
    session.screen.say(f"{adviser.name}'s moves for {mover}, the best first:\n{ranked_text(ranked)}")


def thoughts(session: "Session", _argument: str = "") -> None:
    """Show what each agent thought at its last move."""
    for side in sorted(session.answers):
        session.say_thoughts(side)
    if not session.answers:
        session.screen.say("No agent has said what it thinks of its last move.")


def coach(session: "Session", argument: str = "") -> None:
    """Switch the coach on or off."""
    if argument.lower() not in ("", "on", "off"):
        session.screen.say_wrapped(f"Type coach on or coach off, not {argument!r:.40}.")
        return
    session.has_coach = argument.lower() == "on" if argument else not session.has_coach
    said = "says what was wrong with your moves" if session.has_coach else "is silent"
    session.screen.say(f"The coach {said}.")


def summary(session: "Session", _argument: str = "") -> None:
    """Say where the game was decided: the moves by which somebody threw something away."""
    positions = session.played.positions
    if len(positions) < 2:
        session.screen.say("No move has been played.")
        return
    judged = session.advice(lambda coach: coach.summary(positions, on_task=session.coach_waits), "the coach")
    if judged is None:
        return
    turning = [judgement for judgement in judged if judgement.is_mistake]
    session.screen.say(f"{counted(len(judged), 'move')}, {counted(len(turning), 'turning point')}.")
    for judgement in turning:
        session.screen.say_wrapped(_turning_point(session, judgement), "       ")
    if turning:
        session.screen.say(f"Type look and a number to see the board after that move, as in look {turning[0].ply + 1}.")


def _turning_point(session: "Session", judgement: Judgement) -> str:
    who = session.played.name_of(judgement.player)
    return f"{judgement.ply + 1:>4}.  {who}: {judgement.sentence(who)}"


def moves(session: "Session", _argument: str = "") -> None:
    """List every legal move."""
    played = session.played
    texts = [played.game.format_move(move) for move in played.shown_position.legal_moves()]
    session.screen.say(moves_text(texts))


def listing(session: "Session", _argument: str = "") -> None:
    """List the moves that were played."""
    session.screen.say(played_text(session.played.moves) or "No move has been played.")
