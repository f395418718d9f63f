"""The real command: exit codes, streams, several files, terminals that know no emoji."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

TABLE = """game = "up-the-creek"
[[players]]
name = "Ana"
rows = ["bow paddler-1:red bear-a bear-b bear-hunter stern"]
[[players]]
name = "Ben 🛶"
rows = ["bow bow eagle stern"]
"""
ASKED = TABLE + '[question]\nkind = "place"\nplayer = "Ana"\nrow = 1\n'
FILES = {
    "table.toml": TABLE,
    "legal.toml": ASKED + 'card = "eagle"\ncolumn = 7\n',
    "illegal.toml": ASKED + 'card = "stern"\ncolumn = 12\n',
    "undetermined.toml": TABLE + '[question]\nkind = "strength"\nplayer = "Ana"\nrow = 1\ncolumn = 1\n',
    "bad.toml": 'game = "up-the-creek"\n[options]\ntribs = 1\n[[players]]\nname = "A"\nrows = ["eagel"]\n',
    "match.toml": 'game = "up-the-creek"\nplayers = ["Ana", "Big Ben"]\n# mine\nactions = """\n"""\n',
}  # fmt: skip
FILES["undetermined.toml"] = FILES["undetermined.toml"].replace("paddler-1:red", "chief:red")
FILES["table.json"] = json.dumps({"game": "gold-up", "players": ["A", "B"], "hands": []})
COMMANDS = ("score", "check", "template", "rules", "show", "play")


class Run(NamedTuple):
    """What a command came to."""

    code: int
    out: str
    err: str


def companion(
    folder: Path, *words: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> Run:
    """Runs the command as a user would; a traceback is never right."""
    told = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COMPANION_DEBUG", "TERM")}
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli.main", *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        cwd=folder,
        env={
            **told,
            "PYTHONPATH": str(Path(__file__).parents[2]),
            "LC_ALL": "C.UTF-8",
            **(env or {}),
        },
        timeout=30,
        check=False,
    )
    run = Run(done.returncode, *(t.decode("utf-8", "replace") for t in (done.stdout, done.stderr)))
    for text in (run.out, run.err):
        assert "Traceback" not in text
        assert "fault of the program" not in text
    return run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a table, questions, a match, and a bad file; nobody changes them."""
    path = tmp_path_factory.mktemp("files")
    for name, text in FILES.items():
        (path / name).write_text(text, "utf-8")
    return path


def codes(folder: Path, commands: list[tuple[str, ...]]) -> list[int]:
    with ThreadPoolExecutor(2) as pool:
        return [run.code for run in pool.map(lambda words: companion(folder, *words), commands)]


def test_exit_codes(folder: Path) -> None:
    """0 done, 1 only with --exit-code, 2 unusable."""
    wanted = {
        ("score", "table.toml"): 0,
        ("score", "illegal.toml"): 0,
        ("score", "match.toml"): 0,
        ("check", "legal.toml"): 0,
        ("check", "illegal.toml"): 0,
        ("check", "legal.toml", "--exit-code"): 0,
        ("check", "illegal.toml", "--exit-code"): 1,
        ("check", "undetermined.toml", "--exit-code"): 1,
        ("check", "legal.toml", "illegal.toml", "--exit-code", "--json"): 1,
        ("check", "illegal.toml", "bad.toml", "--exit-code"): 2,
        ("check", "table.toml"): 2,
        ("score", "bad.toml"): 2,
        ("score", "none.toml"): 2,
        ("score", "."): 2,
        ("score", "table.toml", "bad.toml"): 2,
        ("score",): 2,
        ("score", "--jsn", "table.toml"): 2,
        ("show", "bad.toml"): 2,
        ("rules", "up-the-crek"): 2,
        ("rules", "utc:score.pare"): 2,
        ("template", "up-the-crek"): 2,
        ("template", "gold-up", "--players", "Ana,Ana"): 2,
        ("play", "table.toml", "Ana pass"): 2,
        ("play", "match.toml"): 2,
        ("play",): 2,
        ("scoer", "table.toml"): 2,
        ("--versoin",): 2,
    }
    assert dict(zip(wanted, codes(folder, list(wanted)), strict=True)) == wanted


def test_version_and_help(folder: Path) -> None:
    """Of the command, of each command, of the acts of each game."""
    runs = {
        words: companion(folder, *words)
        for words in [("--version",), ("--help",), *((c, "--help") for c in COMMANDS)]
    }
    assert all(run.code == 0 and not run.err for run in runs.values())
    assert runs[("--version",)].out.startswith("companion ")
    assert all(command in runs[("--help",)].out for command in COMMANDS)
    assert "--exit-code" in runs[("check", "--help")].out
    for game, verbs in (
        ("up-the-creek", ("reveal", "insert CARD ROW beside", "attack", "decline")),
        ("without-a-paddle", ("cut", "bid", "tricks", "renege")),
        ("gold-up", ("collect", "steal-keys", "refill", "end-hand")),
    ):
        run = companion(folder, "play", "--help", game)
        assert run.code == 0
        assert all(verb in run.out for verb in (*verbs, "observe"))


def test_a_misspelt_word_names_the_nearest(folder: Path) -> None:
    """Commands, games, rules, files."""
    for words, meant in (
        (("scoer", "x"), "score"),
        (("rules", "gold-upp"), "gold-up"),
        (("rules", "utc:score.pare"), "utc:score.pair"),
        (("play", "--help", "gold-upp"), "gold-up"),
        (("template", "up-the-crek"), "up-the-creek"),
        (("score", "tabel.toml"), "table.toml"),
    ):
        run = companion(folder, *words)
        assert run.code == 2
        assert meant in run.err


def test_several_files_as_json(folder: Path) -> None:
    """One document a line in the order given; a bad one takes its place, the rest still run."""
    names = ["table.toml", "bad.toml", "-", "table.json", "none.toml"]
    run = companion(folder, "score", "--json", *names, stdin=TABLE)
    lines = [json.loads(line) for line in run.out.splitlines()]
    assert run.code == 2
    assert [line["file"] for line in lines] == names
    assert ["error" in line for line in lines] == [False, True, False, False, True]
    assert len(lines[1]["error"]) == 2
    assert all(isinstance(text, str) for text in lines[1]["error"])
    assert lines[0]["players"] == lines[2]["players"]


def test_one_file_as_json(folder: Path) -> None:
    """A good one without `file`, a bad one with; nothing else on standard output."""
    good = json.loads(companion(folder, "score", "table.toml", "--json").out)
    assert set(good) >= {"game", "options", "players", "winners", "complete", "notes", "problems"}
    assert "file" not in good
    assert [p["total"] for p in good["players"]] == [96, 13]
    run = companion(folder, "check", "bad.toml", "--json")
    assert run.code == 2
    assert set(json.loads(run.out)) == {"file", "error"}
    answer = json.loads(companion(folder, "check", "legal.toml", "--json").out)
    assert set(answer) >= {"verdict", "value", "clarity", "rules", "sections", "reasons", "instead",
                           "readings"}  # fmt: skip
    shown = companion(folder, "show", "bad.toml", "--json")
    assert (shown.code, set(json.loads(shown.out))) == (2, {"file", "error"})


def test_several_files_for_people(folder: Path) -> None:
    """Each under its name; faults go to standard error."""
    run = companion(folder, "score", "table.toml", "bad.toml", "illegal.toml")
    assert run.code == 2
    assert "table.toml" in run.out
    assert "illegal.toml" in run.out
    assert "bad.toml" not in run.out
    assert "bad.toml" in run.err
    assert "tribes" in run.err
    assert "eagle" in run.err


def test_standard_input(folder: Path) -> None:
    """`-` for score, check and show; text that is none is refused."""
    assert companion(folder, "score", "-", stdin=TABLE).code == 0
    assert companion(folder, "check", "-", stdin=FILES["legal.toml"]).code == 0
    assert companion(folder, "show", "-", stdin=FILES["match.toml"]).code == 0
    for content in ("", "\0", b"\xff\xfe\x00", "[[[", "{"):
        run = companion(folder, "score", "-", stdin=content)
        assert run.code == 2
        assert "standard input" in run.err


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_plain_when_piped(folder: Path, env: dict[str, str]) -> None:
    """No escape sequences."""
    for words in (("score", "table.toml"), ("check", "illegal.toml"), ("rules", "gold-up"),
                  ("score", "bad.toml")):  # fmt: skip
        run = companion(folder, *words, env=env)
        assert "\x1b" not in run.out + run.err


@pytest.mark.skipif(os.name != "posix", reason="a terminal is made")
@pytest.mark.parametrize(("more", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colour_on_a_terminal(folder: Path, more: dict[str, str], coloured: bool) -> None:
    """And none with NO_COLOR."""
    import pty

    ours, theirs = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    done = subprocess.run(
        [sys.executable, "-m", "companion.cli.main", "score", "table.json"],
        stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs, cwd=folder, check=False, timeout=30,
        env={**env, "PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "xterm", **more},
    )  # fmt: skip
    os.close(theirs)
    assert done.returncode == 0
    assert (b"\x1b[" in os.read(ours, 10_000)) is coloured
    os.close(ours)


@pytest.mark.parametrize(
    "env",
    [
        {"LC_ALL": "C", "LANG": "C"},
        {"LC_ALL": "POSIX", "PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "cp1252"},
    ],
)
def test_a_terminal_without_emoji(folder: Path, env: dict[str, str]) -> None:
    """Points are told all the same."""
    for words in (("score", "table.toml"), ("score", "table.toml", "--json"), ("check", "legal.toml"),
                  ("template", "gold-up", "--players", "Zoë 🛶,Ben"), ("score", "🛶.toml")):  # fmt: skip
        run = companion(folder, *words, env=env)
        assert run.code == (2 if "🛶.toml" in words else 0)
    assert "96" in companion(folder, "score", "table.toml", env=env).out


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_reader_that_has_gone(folder: Path) -> None:
    """`companion rules | head -1` is no failure: nothing on standard error, and not exit 1 or 2."""
    for words in ("rules up-the-creek", "rules up-the-creek --json", "score table.toml --json",
                  "play --help up-the-creek"):  # fmt: skip
        shell = f'"$0" -m companion.cli.main {words} | true; exit ${{PIPESTATUS[0]}}'
        done = subprocess.run(
            ["bash", "-c", shell, sys.executable], cwd=folder, capture_output=True, check=False,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}, timeout=30,
        )  # fmt: skip
        assert done.stderr == b"", words
        assert done.returncode in (0, 141, -13), (words, done.returncode)


def test_play(tmp_path: Path) -> None:
    """0 written, 1 against the rules, 2 impossible or no act; the file says so."""
    match = tmp_path / "match.toml"
    match.write_text(FILES["match.toml"], "utf-8")

    def play(act: str) -> Run:
        return companion(tmp_path, "play", "match.toml", act)

    assert play("Ana reveal bow").code == 0
    placed = play("Ana place bow 1 1")
    assert placed.code == 0
    assert "bow" in placed.out
    before = match.read_bytes()
    refused = play("Ana place stern 3 9")
    impossible = play('"Big Ben" steal Ana 2 2 to 1 1')
    assert (refused.code, impossible.code) == (1, 2)
    assert "!" in refused.err
    assert "utc:" in refused.err
    assert play("Ana foo").code == 2
    assert match.read_bytes() == before
    assert play("Ana place stern 3 9 !").code == 0
    shown = json.loads(companion(tmp_path, "show", "match.toml", "--json").out)
    assert [p["line"] for p in shown["problems"]]
    assert "# mine" in match.read_text("utf-8")


def test_a_template_is_a_sheet(folder: Path) -> None:
    """`companion template ... | companion score -`."""
    for game in ("up-the-creek", "without-a-paddle", "gold-up"):
        for more in ((), ("--match",)):
            sheet = companion(folder, "template", game, "--players", "Ana, Big Ben,Zoë", *more)
            assert sheet.code == 0
            run = companion(folder, "score", "-", "--json", stdin=sheet.out)
            assert run.code == 0
            names = [p["name"] for p in json.loads(run.out)["players"]]
            assert names == ["Ana", "Big Ben", "Zoë"]


def test_rules_as_json(folder: Path) -> None:
    """Each a list or a table, for other programs."""
    for words in ((), ("gold-up",), ("gold-up", "--options"), ("gold-up", "--cards"),
                  ("gold-up", "--questions"), ("utc:score.pair",), ("up-the-creek", "utc:score.pair")):  # fmt: skip
        run = companion(folder, "rules", *words, "--json")
        assert run.code == 0
        assert json.loads(run.out)


@pytest.mark.parametrize(
    "words",
    [
        ("rules", "x\x1b[2J"),
        ("rules", "gold-up", "x\x1b[2J"),
        ("template", "x\x1b[2J"),
        ("template", "gold-up", "--players", "A\x1b[2J,B"),
        ("score", "x\x1b[2J"),
        ("play", "match.toml", "Ana \x1b[2J"),
        ("play", "--help", "x\x1b[2J"),
    ],
)
def test_no_escape_sequence_comes_back(folder: Path, words: tuple[str, ...]) -> None:
    """What was typed or downloaded under an odd name does not reach the terminal as it is."""
    run = companion(folder, *words)
    assert run.code == 2
    assert "\x1b" not in run.err + run.out
