"""Parts of sweeps, computed apart, are the whole."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import polars
import pytest

import pamelaplus as pamela
from pamelaplus import clusters

FAST = pamela.Model("numeric parameter n\nnumeric parameter x\nnumeric T = n * x / 7").compile()
GRID = FAST.sweep(n="1:20000", x="0.1,0.2,0.3,0.4,0.5")


def figures(result: clusters.Result) -> dict[str, bytes]:
    assert result.figures is not None
    return {name: column.tobytes() for name, column in result.figures.items()}


def test_parts() -> None:
    assert clusters.parts(0) == []
    for count in (1, 7, 64):
        cut = clusters.parts(1_000_000, count)
        assert cut[0][0] == 0 and cut[-1][1] == 1_000_000 and len(cut) <= count
        assert all(a[1] == b[0] and a[1] % clusters.UNIT == 0 for a, b in zip(cut, cut[1:], strict=False))
    assert clusters.parts(10, 2) == [(0, 5), (5, 10)]


def test_figures_of_any_division() -> None:
    wanted = {name: column.tobytes() for name, column in GRID.summary("mean", "sum", "argmax", by="x").items()}
    with ThreadPoolExecutor(3) as engine:
        for count in (None, 1, 3, 7):
            assert figures(GRID.run_on(engine, aggregate=["mean", "sum", "argmax"], by="x", parts=count)) == wanted


def test_processes_give_the_same() -> None:
    wanted = {name: column.tobytes() for name, column in GRID.summary("sum").items()}
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as engine:
        assert figures(GRID.run_on(engine, aggregate=["sum"], parts=4)) == wanted


def test_tables_in_parts(tmp_path: Path) -> None:
    whole = GRID.to_polars()
    contents = []
    for name, count in (("a", 2), ("b", 5)):
        with ThreadPoolExecutor(2) as engine:
            result = GRID.run_on(engine, to=tmp_path / name, parts=count)
        assert result.missing == [] and (tmp_path / name / "_SUCCESS").exists()
        files = sorted((tmp_path / name).glob("part-*.parquet"))
        assert len(files) == len(clusters.parts(len(GRID), count))
        contents.append(polars.concat([polars.read_parquet(file) for file in files])["T"])
        assert contents[-1].to_list() == whole["T"].to_list()


def test_what_is_there_is_not_computed_again(tmp_path: Path) -> None:
    class Broken(ThreadPoolExecutor):
        """An engine on which one part fails."""

        def submit(self, work: Any, *arguments: Any, **words: Any) -> Future[Any]:
            def failing(*inner: Any) -> Any:
                if inner[3][0][2] == 2:
                    raise OSError("the disk is full")
                return work(*inner)

            return super().submit(failing, *arguments, **words)

    class Counting(ThreadPoolExecutor):
        count = 0

        def submit(self, work: Any, *arguments: Any, **words: Any) -> Future[Any]:
            self.count += 1
            return super().submit(work, *arguments, **words)

    with Broken(1) as engine, pytest.raises(pamela.PamelaError, match="part 2 failed 3 times.*disk is full"):
        GRID.run_on(engine, to=tmp_path, parts=5)
    done = {path.stem for path in (tmp_path / "_done").iterdir()}
    assert "part-00002" not in done and not (tmp_path / "_SUCCESS").exists()
    with Counting(2) as counting:
        assert GRID.run_on(counting, to=tmp_path, parts=5).missing == []
        assert counting.count == len(clusters.parts(len(GRID), 5)) - len(done)
    # One that is cut is computed again, and the same bytes come out.
    path = tmp_path / "part-00001.parquet"
    content = path.read_bytes()
    path.write_bytes(content[:100])
    with Counting(2) as counting:
        GRID.run_on(counting, to=tmp_path, parts=5)
        assert counting.count == 1 and path.read_bytes() == content
    with ThreadPoolExecutor(1) as engine, pytest.raises(pamela.PamelaError, match="another sweep"):
        FAST.sweep(n="1:9", x=1).run_on(engine, to=tmp_path)


def test_the_command_line_goes_on_with_a_directory_and_merges_it(tmp_path: Path) -> None:
    from pamelaplus._pamela import command

    model, study = tmp_path / "model.pamc", tmp_path / "study"
    model.write_bytes(FAST.dumps())
    words = ["pamela", "sweep", str(model), "-D", "n=1:20000", "-D", "x=0.1,0.2,0.3,0.4,0.5"]
    of_parts = [*words, "--parts", str(study), "--into", "5", "--format", "parquet"]
    with ThreadPoolExecutor(2) as engine:
        GRID.run_on(engine, to=study, parts=5)
    part = study / "part-00003.parquet"
    content = part.read_bytes()
    part.unlink()
    assert command(of_parts) == 0 and part.read_bytes() == content
    for name in ("whole.csv", "whole.jsonl", "whole.parquet", "whole.arrow"):
        whole, merged = tmp_path / name, tmp_path / f"merged-{name}"
        assert command([*words, "-o", str(whole)]) == 0
        assert command(["pamela", "merge", str(study), "-o", str(merged)]) == 0
        assert whole.read_bytes() == merged.read_bytes()


def test_engines_that_there_are_not() -> None:
    with pytest.raises(TypeError, match="submit"):
        GRID.run_on(3, aggregate=["sum"])
    with pytest.raises(pamela.PamelaError, match="no scheduler"):
        GRID.run_on("spark://x", aggregate=["sum"])
    with ThreadPoolExecutor(1) as engine:
        with pytest.raises(pamela.PamelaError, match="either"):
            GRID.run_on(engine)
        with pytest.raises(pamela.PamelaError, match="unknown figure"):
            GRID.run_on(engine, aggregate=["mode"])
        with pytest.raises(pamela.PamelaError):
            GRID.run_on(engine, aggregate=["sum"], by="z")


def program(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "pamelaplus", *words], capture_output=True, text=True, check=False)


def test_simulations_are_the_same_on_an_engine() -> None:
    model = pamela.Model(
        "resource s = fcfs(0, 2)\nprocess main = par (p = 1, 5) { delay(uniform(0, 2)) ; use(s, exponential(1)) }"
    )
    for words in ({}, {"replications": 100, "seed": 3}, {"until_relative_error": 0.1}, {"replications": 1}):
        here = model.simulate(**words)
        with ThreadPoolExecutor(3) as engine:
            assert model.simulate(engine=engine, **words).data == here.data
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert model.simulate(engine=processes, replications=100, seed=3).data == model.simulate(replications=100, seed=3).data
    with ThreadPoolExecutor(1) as engine:
        with pytest.raises(pamela.PamelaError, match="trace"):
            model.simulate(engine=engine, trace=5)
        with pytest.raises(pamela.PamelaError, match="no value"):
            pamela.Model("numeric parameter t\nprocess main = delay(t)").simulate(engine=engine)


def test_dask(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    wanted = {name: column.tobytes() for name, column in GRID.summary("sum").items()}
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            assert figures(GRID.run_on(client, aggregate=["sum"], parts=4)) == wanted
        address = "dask://" + cluster.scheduler_address.removeprefix("tcp://")
        assert figures(GRID.run_on(address, aggregate=["sum"], parts=4)) == wanted
        # The command that the wheel brings.
        model, whole, table = tmp_path / "model.pamc", tmp_path / "whole.csv", tmp_path / "table.csv"
        model.write_bytes(FAST.dumps())
        words = ["sweep", str(model), "-D", "n=1:2000", "-D", "x=0.1,0.2", "--where", "n > x"]
        assert program(*words, "-o", str(whole)).returncode == 0
        of_parts = [*words, "--parts", str(tmp_path / "study"), "--into", "3", "--engine", address]
        done = program(*of_parts, "-o", str(table))
        assert done.returncode == 0, done.stderr
        assert "0 of them computed now" in done.stderr and table.read_bytes() == whole.read_bytes()
        assert "cannot set `z`" in program(*of_parts, "-D", "z=1").stderr


def test_an_engine_of_the_command_line_needs_a_directory() -> None:
    done = program("sweep", "no.pam", "--engine", "dask://host:1")
    assert done.returncode == 1 and "--parts DIR" in done.stderr
    done = program("sweep", "no.pam", "--engine=spark://host:1", "--parts", "study")
    assert done.returncode == 1 and "no.pam" in done.stderr
