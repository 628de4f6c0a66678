#!/usr/bin/env python3
"""Compares job systems that use Redis. All of them run the same job, with the same counts and the same clocks.

A peer is a folder next to this file, with a peer.json and a program called driver, which accepts four commands:
version | enqueue single|bulk N | work N C | paced M MILLISECONDS. README.md describes what is measured, and how to run
this program. Needs Python 3.9, redis-server, and Linux, because the CPU time of processes is read from /proc.
"""
import argparse
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
START_LIMIT_S = 90
PHASE_LIMIT_S = 170
IDLE_WARM_UP = 20
WARM_UP = 1000
IDLE_INTERVAL_MS = 20


def stat_fields(pid):
    text = Path(f"/proc/{pid}/stat").read_text()
    return text[text.rindex(")") + 2:].split()


def process_tree(root):
    children = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                children.setdefault(int(stat_fields(entry)[1]), []).append(int(entry))
            except (OSError, ValueError):
                pass  # The process has ended meanwhile.
    found, open_ends = [], [root]
    while open_ends:
        pid = open_ends.pop()
        found.append(pid)
        open_ends.extend(children.get(pid, []))
    return found


def cpu_seconds(root):
    """Return the CPU time of a process and its descendants in seconds, including children that have ended."""
    ticks = 0
    for pid in process_tree(root):
        try:
            ticks += sum(int(field) for field in stat_fields(pid)[11:15])
        except OSError:
            pass
    return ticks / TICKS_PER_SECOND


class Driver:
    """A running driver of a peer, with the lines that it prints."""

    def __init__(self, peer, port, log, *arguments):
        environment = dict(os.environ, BENCH_REDIS_PORT=str(port),
                           NODE_PATH=str(HERE / "node_modules"), **peer.get("env", {}))
        folder = HERE / peer["name"]
        self.process = subprocess.Popen([str(folder / "driver"), *map(str, arguments)], cwd=folder, env=environment,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log, text=True,
                                        start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        # Signal only the process group that was created here.
        for sign, patience in ((signal.SIGTERM, 6), (signal.SIGKILL, 5)):
            try:
                os.killpg(self.process.pid, sign)
                self.process.wait(patience)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        self.process.stdout.close()

    def line(self, word, limit):
        """Return the rest of the next line that begins with a word. Wait up to the given number of seconds."""
        lines = []

        def read():
            for line in self.process.stdout:
                if line.startswith(word):
                    lines.append(line[len(word):].strip())
                    return

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        reader.join(limit)
        if not lines:
            raise RuntimeError(f"no {word} " + (f"within {limit} s" if reader.is_alive() else "before it ended"))
        return lines[0]


class Redis:
    """A separate, empty server on the loopback interface, which is stopped at the end."""

    def __init__(self, port, append_only):
        self.folder = tempfile.mkdtemp(prefix="compare-redis-")
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", self.folder,
             "--appendonly", "yes" if append_only else "no", "--appendfsync", "everysec", "--loglevel", "warning"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 10
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port), 2)
                break
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    raise RuntimeError(f"redis-server does not start on port {port}") from None
                time.sleep(0.02)
        self.socket.settimeout(60)
        self.answers = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, *words):
        self.socket.sendall(("".join([f"*{len(words)}\r\n", *(f"${len(word)}\r\n{word}\r\n" for word in words)])).encode())
        head = self.answers.readline().rstrip()
        if head.startswith(b"-"):
            raise RuntimeError(head.decode())
        return self.answers.read(int(head[1:]) + 2).decode() if head.startswith(b"$") else head

    def info(self, section):
        return dict(line.split(":", 1) for line in self.call("INFO", section).split("\r\n") if ":" in line)

    def memory(self):
        return int(self.info("memory")["used_memory"])

    def used(self):
        cpu, stats = self.info("cpu"), self.info("stats")
        return {"cpu": float(cpu["used_cpu_sys"]) + float(cpu["used_cpu_user"]),
                "commands": int(stats["total_commands_processed"]),
                "reads": int(stats.get("total_reads_processed", 0))}


def phase(peer, redis, port, log, *arguments):
    """Run a command of a driver.

    Return the figures that the driver prints at the end, and what it and Redis have used since it printed START.
    """
    with Driver(peer, port, log, *arguments) as driver:
        driver.line("START", START_LIMIT_S)
        before, cpu = redis.used(), cpu_seconds(driver.process.pid)
        figures = json.loads(driver.line("DONE", PHASE_LIMIT_S))
        after = redis.used()
        return figures, {**{name: after[name] - before[name] for name in after},
                         "peer_cpu": cpu_seconds(driver.process.pid) - cpu}


def workers(options):
    return [options.c, "--threads", "virtual"] if options.threads == "virtual" else [options.c]


def latencies(peer, port, log, jobs, warm_up, work):
    """Return how long it takes from just before a job is enqueued to its first line if workers are idle, in milliseconds."""
    count = jobs + warm_up
    with Driver(peer, port, log, "work", count, *work) as driver:
        driver.line("START", START_LIMIT_S)
        time.sleep(3)  # The workers become idle some time after START, and the protocol has no word for this.
        with Driver(peer, port, log, "paced", count, IDLE_INTERVAL_MS):
            figures = json.loads(driver.line("DONE", 60 + count * IDLE_INTERVAL_MS // 1000))
    sorted_ms = sorted(micros / 1000 for micros in figures["lat_us"][warm_up:])
    return {"p50": round(sorted_ms[len(sorted_ms) // 2], 2),
            "p99": round(sorted_ms[min(len(sorted_ms) - 1, len(sorted_ms) * 99 // 100)], 2)}


def measure(peer, options, append_only, log):
    jobs, singly = options.n, max(200, options.n // 5)
    row = {"peer": peer["name"], "version": peer["version"], "guarantee": peer["guarantee"],
           "append_only": append_only, "n": jobs, "concurrency": options.c, "threads": options.threads}
    with Redis(options.port, append_only) as redis:
        figures, used = phase(peer, redis, options.port, log, "enqueue", "single", singly)
        row["enqueue_single_per_s"] = round(singly / figures["elapsed_s"])
        row["enqueue_redis_cpu_us"] = round(used["cpu"] / singly * 1e6, 2)
        redis.call("FLUSHALL", "SYNC")
        memory = redis.memory()
        figures, _ = phase(peer, redis, options.port, log, "enqueue", "bulk", jobs)
        row["enqueue_bulk_per_s"] = round(jobs / figures["elapsed_s"])
        row["bytes_per_queued_job"] = round((redis.memory() - memory) / jobs)
        figures, used = phase(peer, redis, options.port, log, "work", jobs, *workers(options))
        row["executed"] = figures["executed"]
        row["drain_per_s"] = round((jobs - 1) / (figures["last_us"] - figures["first_us"]) * 1e6)
        row["drain_2nd_half_per_s"] = round(jobs / 2 / max(1, figures["last_us"] - figures["half_us"]) * 1e6)
        row["redis_cpu_us"] = round(used["cpu"] / jobs * 1e6, 2)
        row["peer_cpu_us"] = round(used["peer_cpu"] / jobs * 1e6, 2)
        row["commands_per_job"] = round(used["commands"] / jobs, 2)
        if "allocated_bytes" in figures:
            row["allocated_bytes_per_job"] = round(figures["allocated_bytes"] / jobs)
        row["reads_per_job"] = round(used["reads"] / jobs, 2)
        if options.latency_jobs:
            redis.call("FLUSHALL", "SYNC")
            pickup = latencies(peer, options.port, log, options.latency_jobs, IDLE_WARM_UP, workers(options))
            row["pickup_p50_ms"], row["pickup_p99_ms"] = pickup["p50"], pickup["p99"]
        if options.warm_latency_jobs:
            redis.call("FLUSHALL", "SYNC")
            pickup = latencies(peer, options.port, log, options.warm_latency_jobs, WARM_UP, workers(options))
            row["pickup_warm_p50_ms"], row["pickup_warm_p99_ms"] = pickup["p50"], pickup["p99"]
        if options.warm_single_jobs:
            redis.call("FLUSHALL", "SYNC")
            figures, _ = phase(peer, redis, options.port, log, "enqueue", "single", options.warm_single_jobs)
            row["enqueue_single_warm_per_s"] = round(options.warm_single_jobs / figures["elapsed_s"])
    return row


COLUMNS = {"peer": "peer", "version": "version", "guarantee": "guarantee", "enqueue_single_per_s": "enqueue, 1 a call, 1/s",
           "enqueue_single_warm_per_s": "single push, warm, 1/s",
           "enqueue_bulk_per_s": "enqueue, 1,000 a call, 1/s", "drain_per_s": "drain, 1/s",
           "drain_2nd_half_per_s": "2nd half, 1/s", "pickup_p50_ms": "pickup p50, ms", "pickup_p99_ms": "p99, ms",
           "pickup_warm_p50_ms": "warm pickup p50, ms",
           "redis_cpu_us": "Redis CPU, µs a job", "peer_cpu_us": "worker CPU, µs a job",
           "allocated_bytes_per_job": "allocated in the worker, bytes a job", "bytes_per_queued_job": "bytes a queued job"}


def cell(rows, column):
    values = [row[column] for row in rows if column in row]
    if not values:
        return "–"
    if isinstance(values[0], str):
        return values[0]
    value = statistics.median(values)
    # Cut off digits instead of rounding, so that no rate looks higher than it was.
    return f"{int(value):,}" if value >= 100 else f"{int(value * 100) / 100:g}"


def table(rows):
    lines = []
    for append_only in (False, True):
        peers = {}
        for row in rows:
            if row["append_only"] == append_only and "error" not in row:
                peers.setdefault(row["peer"], []).append(row)
        if peers:
            lines += ["", "With an append-only file, fsync each second:" if append_only else "Without an append-only file:", "",
                      "| " + " | ".join(COLUMNS.values()) + " |", "|" + "---|" * len(COLUMNS)]
            by_rate = sorted(peers.values(), key=lambda runs: -statistics.median(run["drain_per_s"] for run in runs))
            lines += ["| " + " | ".join(cell(runs, column) for column in COLUMNS) + " |" for runs in by_rate]
    lines += [f"{row['peer']}: {row['error']}" for row in rows if "error" in row]
    return "\n".join(lines)


# The figures that the plot shows, one below the other.
PLOTTED = {"drain_per_s": "drained jobs a second", "enqueue_single_per_s": "jobs a second enqueued one by one",
           "pickup_p99_ms": "pickup by an idle worker, p99, milliseconds (less is better)"}
NAMES, BARS, ROW = 170, 420, 24


def plot(rows):
    """Return an SVG with a bar for the median of each peer, from the runs without an append-only file."""
    peers = {}
    for row in rows:
        if not row["append_only"] and "error" not in row:
            peers.setdefault(row["peer"], []).append(row)
    parts, y = [], 0
    for column, title in PLOTTED.items():
        medians = {peer: statistics.median(run[column] for run in runs if column in run)
                   for peer, runs in peers.items() if any(column in run for run in runs)}
        if not medians:
            continue
        y += 2 * ROW
        parts.append(f'<text x="8" y="{y - 8}" class="title">{title}</text>')
        for peer, value in sorted(medians.items(), key=lambda bar: bar[1] if column.endswith("_ms") else -bar[1]):
            width = max(1, round(BARS * value / max(medians.values())))
            kind = peer if peer in ("steady-jobs", "ceiling") else "other"
            parts.append(f'<text x="{NAMES - 8}" y="{y + 16}" text-anchor="end">{peer}</text>'
                         f'<rect x="{NAMES}" y="{y + 3}" width="{width}" height="{ROW - 6}" class="{kind}"/>'
                         f'<text x="{NAMES + width + 6}" y="{y + 16}">{cell(peers[peer], column)}</text>')
            y += ROW
    if not parts:
        raise SystemExit("There is nothing to plot: no run without an append-only file has succeeded")
    width, height = NAMES + BARS + 90, y + ROW // 2
    style = ("text{font:13px sans-serif;fill:#24292f}.title{font-weight:bold}.steady-jobs{fill:#0969da}"
             ".ceiling{fill:#afb8c1}.other{fill:#57606a}")
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
                      f"<style>{style}</style>", f'<rect width="{width}" height="{height}" fill="#fff"/>', *parts, "</svg>", ""])


def write_table(page, rows):
    """Put the table into a page, between two comments."""
    begin, end = "<!-- peers -->", "<!-- /peers -->"
    text = page.read_text()
    if begin not in text or end not in text.split(begin, 1)[1]:
        raise SystemExit(f"{page} has no place for the table: put the lines {begin} and {end} where it belongs")
    before, rest = text.split(begin, 1)
    page.write_text(before + begin + "\n" + table(rows).strip("\n") + "\n" + end + rest.split(end, 1)[1])


def report(rows, options):
    print(table(rows))
    if options.write:
        write_table(options.write, rows)
    if options.plot:
        options.plot.write_text(plot(rows))


def installed(options, log):
    wanted = options.peers.split(",") if options.peers else []
    for description in sorted(HERE.glob("*/peer.json")):
        peer = dict(json.loads(description.read_text()), name=description.parent.name)
        if options.threads == "virtual" and not peer.get("virtual_threads"):
            continue
        if not wanted or peer["name"] in wanted:
            try:
                with Driver(peer, options.port, log, "version") as driver:
                    peer["version"] = driver.line("VERSION", 60)
                yield peer
            except (OSError, RuntimeError) as error:
                print(f"{peer['name']} is left out: {error}; see {log.name}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description="Measures job systems on Redis beside each other.")
    parser.add_argument("--peers", help="names, separated by commas; all that are installed if it is not given")
    parser.add_argument("--n", type=int, default=100_000, help="jobs (%(default)s)")
    parser.add_argument("--c", type=int, default=10, help="concurrency of the one worker process (%(default)s)")
    parser.add_argument("--threads", choices=("platform", "virtual"), default="platform",
                        help="threads of the workers; virtual ones need Java 21 and leave peers out that have none (%(default)s)")
    parser.add_argument("--reps", type=int, default=3, help="repetitions; the table shows medians (%(default)s)")
    parser.add_argument("--append-only", choices=("no", "yes", "both"), default="no", help="append-only file (%(default)s)")
    parser.add_argument("--latency-jobs", type=int, default=250, help="jobs whose pickup is timed, 0 for none (%(default)s)")
    parser.add_argument("--warm-latency-jobs", type=int, default=3000,
                        help=f"jobs whose pickup is timed after {WARM_UP:,} others, 0 for none (%(default)s)")
    parser.add_argument("--warm-single-jobs", type=int, default=200_000,
                        help="jobs enqueued one a call for the warm figure, 0 for none (%(default)s)")
    parser.add_argument("--port", type=int, default=6390, help="a free port (%(default)s)")
    parser.add_argument("--out", default="peers.jsonl", help="file to which each run is added (%(default)s)")
    parser.add_argument("--table", nargs="+", metavar="FILE", help="only print the table of earlier runs")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="also put the table into a page, between <!-- peers --> and <!-- /peers -->")
    parser.add_argument("--plot", type=Path, metavar="SVG", help="also draw the runs without append-only file")
    options = parser.parse_args()
    if options.table:
        report([json.loads(line) for file in options.table for line in Path(file).read_text().splitlines()], options)
        return
    rows = []
    with open(Path(tempfile.gettempdir()) / "compare.log", "a") as log, open(options.out, "a") as out:
        peers = list(installed(options, log))
        for repetition in range(options.reps):
            for append_only in {"no": [False], "yes": [True], "both": [False, True]}[options.append_only]:
                for peer in peers:
                    try:
                        row = measure(peer, options, append_only, log)
                    except (OSError, RuntimeError) as error:
                        row = {"peer": peer["name"], "append_only": append_only, "error": f"{error}; see {log.name}"}
                    rows.append(row)
                    print(json.dumps(row), flush=True)
                    out.write(json.dumps(row) + "\n")
                    out.flush()
    report(rows, options)


if __name__ == "__main__":
    main()
