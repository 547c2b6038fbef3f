"""The campaign plays what it is asked to, and tells what fails so that it can be repeated."""

from typing import Any

import pytest

from engines import registry

from . import campaign

GAME = next(iter(registry.games()))


def test_it_plays_so_many_boards_of_a_game_and_says_its_seed(capsys: Any) -> None:
    assert campaign.main(["--boards", "23", "--game", GAME, "--seed", "again"]) == 0
    said = capsys.readouterr().out
    assert "SEED=again" in said
    assert f"{23 * len(campaign.CAMPAIGN)} checks of a board" in said


def test_it_ends_when_the_time_is_over(capsys: Any) -> None:
    assert campaign.main(["--seconds", "0", "--game", GAME]) == 0
    assert f"{campaign.LOT} checks of a board, up to number {campaign.LOT}" in capsys.readouterr().out


def test_a_board_that_fails_is_told_with_what_plays_it_again(
    capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(game: Any, boards: Any) -> None:
        for board in boards.of(game):
            with board:
                assert board.number != 33, "the fault"

    monkeypatch.setattr(campaign, "CAMPAIGN", (check,))
    assert campaign.main(["--boards", "60", "--game", GAME, "--seed", "again"]) == 1
    said = capsys.readouterr().out
    assert said.count("the fault\n") == 1
    assert f"{GAME}, board 33: again with ETUI_SEED=again ETUI_BOARDS=33-33" in said
