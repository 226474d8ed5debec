"""Random histories written by the real engine, with its own answers at several versions.

    history.py OUT FIRST_SEED COUNT

Each history is a namespace OUT/h<seed>; OUT/h<seed>.jsonl holds one line per checkpoint:
{"version":N,"nodes":[...],"edges":[...]}. A namespace name is used once per process, because the engine's
caches are keyed by it.
"""
import datetime as dt
import gc
import os
import random
import sys
import uuid

# Small levels, so that compactions cascade in short histories. Read by the engine when it opens.
os.environ.setdefault("NAMIDB_COMPACTION_BASE_BYTES", "4096")
os.environ.setdefault("NAMIDB_COMPACTION_LEVEL_RATIO", "4")

import namidb  # noqa: E402

from canonical import answers, dump  # noqa: E402

UTC = dt.timezone.utc
LABELS = ["Person", "Admin", "a.b`c", "Ünï"]
TYPES = ["KNOWS", "LIKES", "with space", "per%20cent"]
WORDS = ["", "ann", "bob", "O'Neil \"x\"", "Grüße 世界 😀", "tab\tnl\n\\", "123", "true", "{}", "\u0000nul"]


def ids(rnd, n):
    """Ids over the whole unsigned range, some of them neighbours."""
    out = []
    while len(out) < n:
        i = rnd.getrandbits(128)
        out.append(i)
        if rnd.random() < 0.3:
            out.append(min(i + 1, 2**128 - 1))
    out += [0, 2**128 - 1, 2**127, 2**127 - 1, 2**63, 2**63 - 1]
    return [str(uuid.UUID(int=i)) for i in sorted(set(out))]


class History:
    def __init__(self, out, seed):
        self.rnd = random.Random(seed)
        self.out, self.name = out, "h%d" % seed
        self.ids = ids(self.rnd, self.rnd.choice([4, 12, 40]))
        self.live = set()
        self.edges = set()
        self.open()

    def open(self):
        self.c = None
        gc.collect()
        self.c = namidb.Client("file://%s?ns=%s" % (self.out, self.name))

    def version(self):
        folder = os.path.join(self.out, self.name, "manifest", "pointer")
        return max(int(n[1:17], 16) for n in os.listdir(folder))

    def scalar(self):
        r = self.rnd
        return r.choice([
            lambda: r.randint(-5, 5), lambda: r.choice([2**63 - 1, -2**63, 2**53 + 1, 0]),
            lambda: r.randint(-400, 400) / 4, lambda: r.choice([1.0, -0.0, 1e16, 1e-7, 0.5]),
            lambda: r.choice(WORDS), lambda: r.choice([True, False]), lambda: None,
            lambda: bytes(r.randrange(256) for _ in range(r.randrange(5)))])()

    def plain(self):
        """Properties the staging calls take. Names tell the kind, so that a reader's types can be checked."""
        r, p = self.rnd, {}
        if r.random() < 0.7:
            p["i"] = r.randint(-1000, 1000)
        if r.random() < 0.5:
            p["f"] = r.randint(-1000, 1000) / 8
        if r.random() < 0.5:
            p["num"] = r.choice([r.randint(0, 9), r.randint(0, 99) / 4])
        if r.random() < 0.6:
            p["s"] = r.choice(WORDS)
        if r.random() < 0.4:
            p["any"] = self.scalar()
        if r.random() < 0.3:
            p["b"] = r.choice([True, False, None])
        if r.random() < 0.2:
            p["vec"] = [r.randint(-8, 8) / 4 for _ in range(r.randrange(4))]
        if r.random() < 0.1:
            p["only%d" % r.randrange(3)] = r.choice(WORDS)
        if r.random() < 0.1:
            p["größe $x"] = r.randint(0, 3)
        return p

    def rich(self):
        """Properties only Cypher parameters can carry."""
        r, p = self.rnd, {}
        p["day"] = dt.date(1970, 1, 1) + dt.timedelta(days=r.randint(-40000, 40000))
        if r.random() < 0.7:
            p["at"] = dt.datetime(2026, 5, 24, tzinfo=UTC) + dt.timedelta(microseconds=r.randint(-10**15, 10**15))
        if r.random() < 0.5:
            p["list"] = [r.choice(WORDS) for _ in range(r.randrange(4))]
        if r.random() < 0.3:
            p["mixed"] = [1, 2.5, "x", True, None, [1]]
        if r.random() < 0.4:
            p["map"] = {"k": r.randint(0, 9), "l": r.randint(0, 9)}
        if r.random() < 0.3:
            p["deep"] = {"m": {"l": [1, {"z": 2.0}]}, "d": dt.date(1970, 1, 2)}
        if r.random() < 0.3:
            p["i"] = r.randint(0, 5)
        return p

    def labels(self):
        n = self.rnd.choice([0, 1, 1, 1, 2, 3])
        return self.rnd.sample(LABELS, n)

    def step(self):
        r = self.rnd
        x = r.random()
        if x < 0.34 or not self.live:
            for i in r.sample(self.ids, min(len(self.ids), r.choice([1, 3, 10]))):
                self.c.upsert_node_with_labels(self.labels(), i, self.plain())
                self.live.add(i)
            self.c.commit()
        elif x < 0.42:
            i = r.choice(sorted(self.live))
            sets = self.rich()
            for label in LABELS:
                if self.c.lookup_node(label, i) is not None:
                    text = ", ".join("n.`%s` = $%s" % (k, k) for k in sets)
                    self.c.cypher("MATCH (n:`%s` {_id: $id}) SET %s" % (label.replace("`", "``"), text),
                                  dict(sets, id=i))
                    break
        elif x < 0.50:
            for i in r.sample(sorted(self.live), min(len(self.live), r.choice([1, 2, 5]))):
                self.c.tombstone_node("Person", i)
                self.live.discard(i)
            self.c.commit()
        elif x < 0.72:
            t = r.choice(TYPES)
            for _ in range(r.choice([1, 4, 12])):
                a, b = r.choice(self.ids), r.choice(self.ids)
                self.c.upsert_edge(t, a, b, self.plain() if r.random() < 0.7 else {})
                self.edges.add((t, a, b))
            self.c.commit()
        elif x < 0.80 and self.edges:
            t = r.choice(TYPES)
            some = [e for e in sorted(self.edges) if e[0] == t]
            kill = some if r.random() < 0.2 else r.sample(some, min(len(some), 3))
            for e in kill:
                self.c.tombstone_edge(*e)
                self.edges.discard(e)
            self.c.commit()
        elif x < 0.92:
            self.c.flush()
        elif x < 0.97:
            self.c.flush()
            self.c.compact()
        else:
            self.open()

    def run(self):
        steps = self.rnd.choice([8, 16, 30])
        marks = set(self.rnd.sample(range(steps), 2)) | {steps - 1}
        lines = []
        for i in range(steps):
            self.step()
            if i in marks:
                nodes, edges = answers(self.c, TYPES)
                lines.append(dump({"version": self.version(), "nodes": nodes, "edges": edges}))
        with open(os.path.join(self.out, self.name + ".jsonl"), "w", encoding="utf-8", newline="\n") as f:
            f.writelines(x + "\n" for x in lines)
        self.c = None


def main():
    out, first, count = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    os.makedirs(out, exist_ok=True)
    for seed in range(first, first + count):
        History(out, seed).run()


if __name__ == "__main__":
    main()
