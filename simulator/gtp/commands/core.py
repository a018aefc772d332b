"""The commands of every game: those that GTP 2 requires, the usual others, and `unforced-...` for programs."""

import json

from game import Game, NotationError, format_result, perft
from simulator import NAME, VERSION
from simulator.gtp import syntax
from simulator.gtp.engine import CommandSet, Engine
from simulator.gtp.syntax import GtpError

# --- The session ----------------------------------------------------------------------------------------------------


def _quit(engine: Engine, arguments: list[str]) -> str:
    engine.server.finished = True
    engine.host.close()
    return ""


def _name(engine: Engine, arguments: list[str]) -> str:
    return f"{NAME} {engine.host.name}".rstrip()


def _version(engine: Engine, arguments: list[str]) -> str:
    return VERSION


# --- The board ------------------------------------------------------------------------------------------------------


def _boardsize(engine: Engine, arguments: list[str]) -> str:
    size = syntax.integer(syntax.one(arguments))
    present = _size_of(engine.game)
    if size != present:
        try:
            engine.set_game(size=size)
        except (TypeError, ValueError) as error:
            only = f"this engine plays {engine.game_name}, whose board is {present}x{present}"
            reason = error if hasattr(engine.game, "size") else f"{only}; start it with --game go for Go"
            raise syntax.explained(syntax.UNACCEPTABLE_SIZE, reason) from error
    engine.new_game()
    return ""


def _size_of(game: Game) -> int:
    return int(game.size) if hasattr(game, "size") else int(game.initial().board.shape[0])


def _clear_board(engine: Engine, arguments: list[str]) -> str:
    engine.new_game()
    return ""


def _komi(engine: Engine, arguments: list[str]) -> str:
    syntax.number(syntax.one(arguments))  # any komi is accepted; a game that has one brings its own command
    return ""


def _play(engine: Engine, arguments: list[str]) -> str:
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
    return ""


def _undo(engine: Engine, arguments: list[str]) -> str:
    if len(engine.positions) == 1:
        raise syntax.explained(syntax.CANNOT_UNDO, "no move has been played since the board was set")
    engine.positions.pop()
    return ""


def _showboard(engine: Engine, arguments: list[str]) -> str:
    return "\n" + engine.game.draw(engine.position)


def _final_score(engine: Engine, arguments: list[str]) -> str:
    if engine.position.result is None:
        raise syntax.explained(syntax.CANNOT_SCORE, "the game is not over")
    return format_result(engine.game, engine.position.result)


# --- The agent ------------------------------------------------------------------------------------------------------


def _genmove(engine: Engine, arguments: list[str]) -> str:
    return engine.play(engine.think(engine.player_of(syntax.one(arguments))))


def _reg_genmove(engine: Engine, arguments: list[str]) -> str:
    return engine.think(engine.player_of(syntax.one(arguments))).text


def _time_settings(engine: Engine, arguments: list[str]) -> str:
    if len(arguments) != 3:
        raise syntax.explained(syntax.SYNTAX_ERROR, "expected main time, period and stones")
    main, period, stones = arguments
    engine.host.timer.set_control(syntax.duration(main), syntax.duration(period), syntax.integer(stones))
    return ""


def _time_left(engine: Engine, arguments: list[str]) -> str:
    if len(arguments) != 3:
        raise syntax.explained(syntax.SYNTAX_ERROR, "expected a colour, seconds and stones")
    colour, seconds, stones = arguments
    engine.host.timer.set_left(engine.player_of(colour), syntax.duration(seconds), syntax.integer(stones))
    return ""


# --- For programs ---------------------------------------------------------------------------------------------------


def _legal_moves(engine: Engine, arguments: list[str]) -> str:
    if engine.player_of(syntax.one(arguments)) != engine.position.to_move:
        return ""
    return " ".join(map(engine.game.format_move, engine.position.legal_moves()))


def _result(engine: Engine, arguments: list[str]) -> str:
    return format_result(engine.game, engine.position.result)


def _position(engine: Engine, arguments: list[str]) -> str:
    return engine.game.format_position(engine.position)


def _set_position(engine: Engine, arguments: list[str]) -> str:
    """The agent stays: a program that asks about a thousand positions should not pay for a thousand set-ups."""
    try:
        engine.positions = [engine.game.parse_position(" ".join(arguments))]
    except NotationError as error:
        raise syntax.explained(syntax.SYNTAX_ERROR, error) from error
    return ""


def _search_stats(engine: Engine, arguments: list[str]) -> str:
    return json.dumps(engine.host.search_stats())


def _perft(engine: Engine, arguments: list[str]) -> str:
    return str(perft(engine.position, syntax.integer(syntax.one(arguments))))


CORE_COMMANDS: CommandSet = {
    "quit": _quit,
    "name": _name,
    "version": _version,
    "boardsize": _boardsize,
    "clear_board": _clear_board,
    "komi": _komi,
    "play": _play,
    "undo": _undo,
    "showboard": _showboard,
    "final_score": _final_score,
    "genmove": _genmove,
    "reg_genmove": _reg_genmove,
    "time_settings": _time_settings,
    "time_left": _time_left,
    "unforced-legal_moves": _legal_moves,
    "unforced-result": _result,
    "unforced-position": _position,
    "unforced-set_position": _set_position,
    "unforced-search_stats": _search_stats,
    "unforced-perft": _perft,
}
