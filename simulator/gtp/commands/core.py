"""The commands of every game: those that GTP 2 requires, other usual ones, and `unforced-...` for programs."""

import json

from game import NotationError, format_result, perft
from options import OptionError, UnknownOption
from simulator import NAME, VERSION
from simulator.gtp import syntax
from simulator.gtp.engine import CommandSet, Engine
from simulator.gtp.syntax import GtpError
from simulator.gtp.time_control import TimeControl

LONGEST_STUDY = 60.0  # seconds of one request; if it is repeated, the search goes on


def _quit(engine: Engine, arguments: list[str]) -> None:
    engine.finished = True
    engine.host.close()


def _boardsize(engine: Engine, arguments: list[str]) -> None:
    size = syntax.integer(syntax.one(arguments))
    option, sides = engine.game.size_option, engine.position.board.shape
    is_square = len(sides) == 2 and sides[0] == sides[1]
    present = engine.game.settled_options.get(option, sides[0] if is_square else None)
    if size != present:
        try:
            engine.set_game(**{option: size})
        except UnknownOption as error:
            board = f", whose board is {sides[0]}x{sides[1]}" if len(sides) == 2 else ""
            reason = f"this engine plays {engine.game.title}{board}"
            raise syntax.explained(syntax.UNACCEPTABLE_SIZE, f"{reason}; start it with --game go for Go") from error
        except OptionError as error:
            raise syntax.explained(syntax.UNACCEPTABLE_SIZE, error) from error
    engine.new_game()


def _komi(engine: Engine, arguments: list[str]) -> None:
    syntax.number(syntax.one(arguments))  # any komi is accepted; a game with a komi has its own command


def _play(engine: Engine, arguments: list[str]) -> None:
    if len(arguments) < 2:
        raise syntax.explained(syntax.SYNTAX_ERROR, "expected a colour and a move")
    player = engine.player_of(arguments[0])
    try:
        move = engine.game.parse_move(" ".join(arguments[1:]), engine.position)
    except NotationError as error:
        raise syntax.explained(syntax.SYNTAX_ERROR, error) from error
    try:
        engine.positions.append(engine.turn_of(player).play(move))
    except (GtpError, ValueError) as error:
        raise syntax.explained(syntax.ILLEGAL_MOVE, error) from error


def _undo(engine: Engine, arguments: list[str]) -> None:
    if len(engine.positions) == 1:
        raise syntax.explained(syntax.CANNOT_UNDO, "no move has been played since the board was set")
    engine.positions.pop()


def _final_score(engine: Engine, arguments: list[str]) -> str:
    if engine.position.result is None:
        raise syntax.explained(syntax.CANNOT_SCORE, "the game is not over")
    return format_result(engine.game, engine.position.result)


def _genmove(engine: Engine, arguments: list[str]) -> str:
    return engine.play(*engine.think(engine.turn_of(engine.player_of(syntax.one(arguments)))))


def _reg_genmove(engine: Engine, arguments: list[str]) -> str:
    text, _ = engine.think(engine.turn_of(engine.player_of(syntax.one(arguments))), spends=False)
    return text


def _time_settings(engine: Engine, arguments: list[str]) -> None:
    if len(arguments) != 3:
        raise syntax.explained(syntax.SYNTAX_ERROR, "expected main time, period and stones")
    main, period, stones = syntax.duration(arguments[0]), syntax.duration(arguments[1]), syntax.integer(arguments[2])
    timer = engine.host.timer
    timer.control = TimeControl(main, period, stones, increment=timer.limits.increment_seconds)


def _time_left(engine: Engine, arguments: list[str]) -> None:
    if len(arguments) != 3:
        raise syntax.explained(syntax.SYNTAX_ERROR, "expected a colour, seconds and stones")
    player, left = engine.player_of(arguments[0]), (syntax.duration(arguments[1]), syntax.integer(arguments[2]))
    engine.host.timer.control.left[player] = left


def _legal_moves(engine: Engine, arguments: list[str]) -> str:
    if engine.player_of(syntax.one(arguments)) != engine.position.to_move:
        return ""
    return " ".join(map(engine.game.format_move, engine.position.legal_moves()))


def _set_position(engine: Engine, arguments: list[str]) -> None:
    """Set up a position; the agent stays, so that a program can ask about many positions after one set-up."""
    try:
        engine.positions = [engine.game.parse_position(" ".join(arguments))]
    except NotationError as error:
        raise syntax.explained(syntax.SYNTAX_ERROR, error) from error


def _study(engine: Engine, arguments: list[str]) -> str:
    """What the agent thinks of every move after so many more seconds of search: a list in JSON, see `Player.study`."""
    seconds = min(syntax.duration(syntax.one(arguments)), LONGEST_STUDY)
    if engine.position.result is not None:
        return "[]"
    reports = engine.host.study(engine.position, seconds)
    engine.host.timer.start_request()  # a study is not part of a game's thinking time
    text = engine.game.format_move
    return json.dumps(
        [
            {
                "move": text(report.move),
                "visits": int(report.visits),
                "value": round(float(report.value), 6),
                "proven": report.proven,
                "pv": [text(move) for move in report.pv],
            }
            for report in reports
        ]
    )


CORE_COMMANDS: CommandSet = {
    "quit": _quit,
    "name": lambda engine, arguments: f"{NAME} {engine.host.name}".rstrip(),
    "version": lambda engine, arguments: VERSION,
    "boardsize": _boardsize,
    "clear_board": lambda engine, arguments: engine.new_game(),
    "komi": _komi,
    "play": _play,
    "undo": _undo,
    "showboard": lambda engine, arguments: "\n" + engine.game.draw(engine.position),
    "final_score": _final_score,
    "genmove": _genmove,
    "reg_genmove": _reg_genmove,
    "time_settings": _time_settings,
    "time_left": _time_left,
    "unforced-legal_moves": _legal_moves,
    "unforced-result": lambda engine, arguments: format_result(engine.game, engine.position.result),
    "unforced-position": lambda engine, arguments: engine.game.format_position(engine.position),
    "unforced-set_position": _set_position,
    "unforced-study": _study,
    "unforced-search_stats": lambda engine, arguments: json.dumps(engine.host.search_stats()),
    "unforced-perft": lambda engine, arguments: str(perft(engine.position, syntax.integer(syntax.one(arguments)))),
}
