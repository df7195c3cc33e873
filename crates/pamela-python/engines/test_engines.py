"""Engines whose workers and clients are killed end with the bytes of one process, and no finished part is computed again.

With PAMELA_ENGINES=full, 1e9 points reduced, 1e8 rows in parts, 1e6 points of laws and 1,000 replications; else a part
of that, which two cores do in minutes, times the number that PAMELA_ENGINES is.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest
from study import MODEL, grid

import pamelaplus as pamela

SIZE = os.environ.get("PAMELA_ENGINES", "1")
FULL = (1e9, 1e8, 1e6, 1e3)
SIZES = FULL if SIZE == "full" else (2e7 * float(SIZE), 2e6 * float(SIZE), 1e4 * float(SIZE), 200 * float(SIZE))
POINTS, ROWS, LAWS, REPLICATIONS = map(int, SIZES)
PARTS = 12


def figures(found: Any) -> dict[str, bytes]:
    return {name: column.tobytes() for name, column in (found or {}).items()}


def laws() -> pamela.Sweep:
    text = "numeric parameter n : integer >= 1\nnumeric parameter m : > 0\nprocess main = par (i = 1, n) delay(exponential(m))"
    return pamela.Model(text).compile().sweep(n="1:10", m=f"1:{LAWS // 10}", quantiles=[0.5, 0.99])


def written(directory: Path) -> dict[str, tuple[int, bytes]]:
    """Of each part that is whole when it was written, and its bytes."""
    names = [receipt.stem for receipt in (directory / "_done").glob("part-*.json")]
    parts = [directory / f"{name}.parquet" for name in names]
    return {part.name: (part.stat().st_mtime_ns, part.read_bytes()) for part in parts}


def whole(sweep: pamela.Sweep, directory: Path, parts: int = PARTS) -> dict[str, bytes]:
    """The parts as one process writes them."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as engine:
        assert sweep.run_on(engine, to=directory, parts=parts).missing == []
    return {name: content for name, (_, content) in written(directory).items()}


def after(directory: Path, parts: int, act: Any) -> threading.Thread:
    """Does something once so many parts are whole."""

    def wait() -> None:
        for _ in range(6000):
            done = directory / "_done"
            if done.is_dir() and len(list(done.glob("part-*.json"))) >= parts:
                act()
                return
            time.sleep(0.01)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


@pytest.fixture(scope="module")
def cluster() -> Any:
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        yield cluster


def workers(cluster: Any) -> list[int]:
    from distributed import Client

    with Client(cluster) as client:
        return sorted(client.run(os.getpid).values())


def test_dask_reduces_with_a_worker_killed(cluster: Any) -> None:
    from distributed import Client

    sweep = grid(POINTS)
    wanted = figures(sweep.summary("min", "argmax", "mean", "sum", "count"))
    victim = workers(cluster)[0]
    timer = threading.Timer(1.0, os.kill, (victim, signal.SIGKILL))
    with Client(cluster) as client:
        timer.start()
        found = sweep.run_on(client, aggregate=["min", "argmax", "mean", "sum", "count"], parts=4 * PARTS)
        timer.join()
    assert figures(found.figures) == wanted


def test_dask_goes_on_where_a_worker_and_the_client_were_killed(cluster: Any, tmp_path: Path) -> None:
    study = tmp_path / "study"
    sweep = grid(ROWS)
    wanted = whole(sweep, tmp_path / "whole")
    address = "dask://" + cluster.scheduler_address.removeprefix("tcp://")
    command = [sys.executable, str(Path(__file__).with_name("study.py")), address, str(study), str(ROWS), str(PARTS)]
    client = subprocess.Popen(command)
    victim = workers(cluster)[0]
    first = after(study, PARTS // 3, lambda: os.kill(victim, signal.SIGKILL))
    second = after(study, 2 * PARTS // 3, lambda: os.kill(client.pid, signal.SIGKILL))
    assert client.wait() in (0, -signal.SIGKILL)
    first.join()
    second.join()
    before = written(study)
    result = sweep.run_on(address, to=study, parts=PARTS)
    assert result.missing == [] and (study / "_SUCCESS").exists()
    now = written(study)
    assert {name: content for name, (_, content) in now.items()} == wanted
    assert len(before) >= PARTS // 3
    assert all(now[name] == part for name, part in before.items()), "a part was written again"


def test_dask_computes_laws(cluster: Any, tmp_path: Path) -> None:
    from distributed import Client

    sweep = laws()
    wanted = whole(sweep, tmp_path / "whole", 8)
    with Client(cluster) as client:
        assert sweep.run_on(client, to=tmp_path / "study", parts=8).missing == []
    assert {name: content for name, (_, content) in written(tmp_path / "study").items()} == wanted


def test_dask_makes_replications_with_a_worker_killed(cluster: Any) -> None:
    from distributed import Client

    text = "resource s = fcfs(0, 2)\nprocess main = par (p = 1, 200) seq (i = 1, 20) { delay(exponential(9)) ; use(s, 1) }"
    model = pamela.Model(text)
    wanted = model.simulate(replications=REPLICATIONS).data
    victim = workers(cluster)[0]
    timer = threading.Timer(0.5, os.kill, (victim, signal.SIGKILL))
    with Client(cluster) as client:
        timer.start()
        found = model.simulate(replications=REPLICATIONS, engine=client)
        timer.join()
    assert found.data == wanted


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_processes_of_which_one_is_killed(method: str, tmp_path: Path) -> None:
    sweep = grid(ROWS)
    wanted = whole(sweep, tmp_path / "whole")
    study = tmp_path / "study"
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as engine:
        killer = after(study, PARTS // 3, lambda: os.kill(next(iter(engine._processes)), signal.SIGKILL))
        with pytest.raises(pamela.PamelaError, match="part .*are done"):
            # A pool is broken where one of its processes is gone.
            sweep.run_on(engine, to=study, parts=PARTS)
        killer.join()
    before = written(study)
    assert PARTS // 3 <= len(before) < PARTS and not (study / "_SUCCESS").exists()
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as engine:
        assert sweep.run_on(engine, to=study, parts=PARTS).missing == []
    now = written(study)
    assert {name: content for name, (_, content) in now.items()} == wanted
    assert all(now[name] == part for name, part in before.items()), "a part was written again"


def on_ranks(study: Path) -> subprocess.Popen[str]:
    """Three ranks of MPI: one gives out the parts, two compute them."""
    own = ["--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-m", "mpi4py.futures"]
    script = str(Path(__file__).with_name("ranks.py"))
    command = ["mpirun", *own, script, str(study), str(POINTS), str(ROWS), str(PARTS)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_mpi_with_a_rank_killed(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    if shutil.which("mpirun") is None:
        pytest.skip("no mpirun")
    study = tmp_path / "study"
    wanted = whole(grid(ROWS), tmp_path / "whole")
    first = on_ranks(study)
    assert first.stdout is not None
    victim = int(first.stdout.readline())
    killer = after(study, PARTS // 3, lambda: os.kill(victim, signal.SIGKILL))
    # All ranks end where one does.
    first.communicate()
    killer.join()
    assert first.returncode != 0 and not (study / "_SUCCESS").exists()
    before = written(study)
    assert PARTS // 3 <= len(before) < PARTS
    second = on_ranks(study)
    output, errors = second.communicate()
    assert second.returncode == 0, errors
    figures_there = json.loads(output.splitlines()[1])
    known = figures(grid(POINTS).summary("min", "argmax", "mean", "sum", "count"))
    assert figures_there == {name: content.hex() for name, content in known.items()}
    now = written(study)
    assert {name: content for name, (_, content) in now.items()} == wanted
    assert all(now[name] == part for name, part in before.items()), "a part was written again"


# Datasets of Ray and Spark: values by key, with missing ones.


def dataset(directory: Path, files: int = 8, rows: int = 5000) -> dict[int, float | None]:
    """A partitioned dataset, and the values of all its rows by key."""
    import pyarrow
    import pyarrow.parquet

    fast = pamela.Model(MODEL).compile()
    wanted: dict[int, float | None] = {}
    directory.mkdir()
    for number in range(files):
        keys = list(range(number * rows, (number + 1) * rows))
        clients = [None if key % 97 == 0 else float(key % 300 + 1) for key in keys]
        columns = {"key": keys, "P": clients, "N": [float(key % 50) for key in keys], "tl": [10.0] * rows, "ts": [0.1] * rows}
        table = pyarrow.table(columns)
        pyarrow.parquet.write_table(table, directory / f"{number}.parquet")
        wanted.update(zip(keys, fast.table(table)["T_main"].to_pylist(), strict=True))
    return wanted


def kill_once(flag: str, ancestor: int = 0) -> None:
    """The first process that comes here is killed, or the one that started it, or the one that started that."""
    try:
        os.close(os.open(flag, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return
    victim = os.getpid()
    for _ in range(ancestor):
        victim = int(Path(f"/proc/{victim}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(victim, signal.SIGKILL)
    time.sleep(60)


def test_ray(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    wanted = dataset(tmp_path / "data")
    fast, flag = pamela.Model(MODEL).compile(), str(tmp_path / "killed")

    def values(table: Any) -> Any:
        kill_once(flag)
        return fast.table(table)

    # Its processes do not find this file.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.init(num_cpus=2, include_dashboard=False, object_store_memory=200 * 2**20, log_to_driver=False)
    try:
        data = ray.data.read_parquet(str(tmp_path / "data"))
        rows = data.map_batches(values, batch_format="pyarrow").select_columns(["key", "T_main"]).take_all()
    finally:
        ray.shutdown()
    assert os.path.exists(flag)
    found = {row["key"]: row["T_main"] for row in rows}
    assert len(rows) == len(wanted) == len(found)
    # Ray gives what is missing as None or as no number.
    assert {key: None if value != value else value for key, value in found.items()} == wanted


def test_spark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyspark")
    if shutil.which("java") is None:
        pytest.skip("no java")
    from pyspark import cloudpickle
    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    wanted = dataset(tmp_path / "data")
    fast, flag = pamela.Model(MODEL).compile(), str(tmp_path / "killed")

    def values(batches: Any) -> Any:
        # The executor, which has started the daemon that has started this process.
        kill_once(flag, 2)
        yield from fast.batches(batches)

    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    spark = builder.getOrCreate()
    try:
        frame = spark.read.parquet(str(tmp_path / "data"))
        schema = StructType(list(frame.schema.fields)).add("time_main", "double").add("T_main", "double")
        rows = frame.mapInArrow(values, schema).select("key", "T_main").collect()
    finally:
        spark.stop()
    assert os.path.exists(flag)
    assert {row["key"]: row["T_main"] for row in rows} == wanted
