"""Estimates before a game of Go is over: owners, dead stones and sekis in diagrams that leave no doubt."""

import numpy as np
import pytest

from game import FIRST, SECOND, Result
from go.game import Go
from go.position import GoMove

TWO_EYES = ".b.bw../bbbbw../wwwww../......./......./......./......."  # black lives in the corner, white has the rest
WALLS = "..b.w../..b.w../w.b.w../..b.w.b/..b.w../..b.w../..b.w.."  # two walls with a dead stone behind each
ONE_EYE = ".b.wb../bbwwbbb/wwwbb../..wb.../..wb.../..wb.../..wb..."  # black is dead in the corner: it has only one eye
SHARED = ".wb.wb./wwb.wbb/.wbbwb./wwwwbbb/...wb../...wb../...wb.."  # whoever plays on D7 or D6 is captured
THREE_SHARED = ".wb.wb./wwb.wbb/.wb.wb./wwbbwbb/.wwwbb./...wb../...wb.."
AN_EYE_EACH = (
    "wb.b.w.wb/wbbbwwwwb/wwwwbbbbb/...wb..../...wb..../...wb..../...wb..../...wb..../...wb...."  # and a shared liberty
)

LETTER = {"alive": "A", "dead": "D", "seki": "S"}
DIAGRAMS = {  # rows, and below them the status of each stone
    "...../...../...../...../.....": "...../...../...../...../.....",
    TWO_EYES: ".A.AA../AAAAA../AAAAA../......./......./......./.......",
    WALLS: "..A.A../..A.A../D.A.A../..A.A.D/..A.A../..A.A../..A.A..",
    ONE_EYE: ".D.AA../DDAAAAA/AAAAA../..AA.../..AA.../..AA.../..AA...",
    SHARED: ".AS.SA./AAS.SAA/.ASSSA./AAAAAAA/...AA../...AA../...AA..",
    THREE_SHARED: ".AS.SA./AAS.SAA/.AS.SA./AASSSAA/.AAAAA./...AA../...AA..",
    AN_EYE_EACH: "AS.S.S.SA/ASSSSSSSA/AAAAAAAAA/...AA..../...AA..../...AA..../...AA..../...AA..../...AA....",
}


def position_of(rows, side="b", rest=""):
    size = rows.count("/") + 1
    return Go(size, 0.5), Go(size, 0.5).parse_position(f"{rows} {side} - 0.5{rest}")


def turned(rows, quarters, swapped):
    """A diagram turned by so many quarters of a circle; if `swapped`, the colours are exchanged."""
    grid = np.rot90(np.array([list(row) for row in rows.split("/")]), quarters)
    text = "/".join("".join(row) for row in grid)
    return text.translate(str.maketrans("bw", "wb")) if swapped else text


def statuses_as_rows(the_game, position):
    grid = np.full((the_game.size, the_game.size), ".")
    for move, status in the_game.statuses(position).items():
        assert isinstance(move, GoMove)
        grid[move] = LETTER[status]
    return "/".join("".join(row) for row in grid)


@pytest.mark.parametrize("side", ["b", "w"])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("quarters", [0, 1])
@pytest.mark.parametrize(("rows", "expected"), DIAGRAMS.items())
def test_every_stone_is_alive_dead_or_in_seki(rows, expected, quarters, swapped, side):
    the_game, position = position_of(turned(rows, quarters, swapped), side)
    assert statuses_as_rows(the_game, position) == turned(expected, quarters, False)


@pytest.mark.parametrize(
    ("rows", "komi", "result"),
    [
        (WALLS, 0.5, Result(SECOND, 0.5)),  # three columns each
        (WALLS, -1.0, Result(FIRST, 1.0)),
        (WALLS, 0.0, Result(None)),
        (TWO_EYES, 0.5, Result(SECOND, 41 - 8 + 0.5)),
        (ONE_EYE, 0.0, Result(FIRST, 26 - 23)),  # the corner is white's
        (SHARED, 0.0, Result(SECOND, 25 - 22)),  # stones in seki count; the points between them belong to nobody
        (THREE_SHARED, 0.0, Result(SECOND, 24 - 22)),
    ],
)
def test_the_final_score_takes_dead_stones_off_and_leaves_sekis(rows, komi, result):
    the_game, position = position_of(rows)
    assert the_game.final_score(position.with_komi(komi)) == result


def test_a_finished_game_is_scored_with_its_dead_stones_off_too():
    the_game, over = position_of(WALLS, rest=" 2")
    assert over.result == Result(SECOND, 0.5 + 1 - 1)  # a dead stone on the board makes the area around it neutral
    assert over.score() == -0.5
    _, lopsided = position_of(WALLS.replace("b/..b.w../..b.w../..b.w..", "./..b.w../..b.w../..b.w.."), rest=" 2")
    assert lopsided.result == Result(SECOND, 15.5)  # on the board, one dead stone makes all of black's area neutral
    assert the_game.final_score(lopsided) == Result(SECOND, 0.5)


def test_owners_have_the_sign_of_the_player_who_holds_the_point_and_what_has_two_eyes_is_its_owners_always():
    the_game, position = position_of(WALLS)
    owners = the_game.ownership(position)
    assert (owners.dtype, owners.shape) == (np.float32, (7, 7))
    assert np.abs(owners).max() <= 1
    assert (owners[:, :3] > 0.4).all()
    assert (owners[:, 4:] < -0.4).all()
    assert (np.abs(owners[:, 3]) < 0.3).all()
    the_game, position = position_of(TWO_EYES)
    assert (the_game.ownership(position)[:2, :4] == 1).all()


@pytest.mark.parametrize(("playouts", "seed"), [(1, 0), (50, 3)])
def test_owners_are_means_of_so_many_playouts_from_a_seed(playouts, seed):
    the_game, position = position_of(WALLS)
    owners = the_game.ownership(position, playouts, seed)
    assert (owners == the_game.ownership(position, playouts, seed)).all()
    assert (owners != the_game.ownership(position, playouts, seed + 1)).any()
    assert owners * playouts == pytest.approx(np.round(owners * playouts), abs=1e-4)


def test_an_estimate_leaves_the_position_as_it_was():
    the_game, position = position_of(SHARED, rest=" 2")
    before = position.state.tobytes()
    the_game.ownership(position, 10)
    the_game.statuses(position)
    the_game.final_score(position)
    assert position.state.tobytes() == before
    assert position.passes == 2
