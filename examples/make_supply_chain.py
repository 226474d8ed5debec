"""Makes examples/data with the real engine: a company's services, the libraries they use, and a bad week.

    pip install namidb==2.6.19
    python examples/make_supply_chain.py

Node ids are derived from names and the random seed is fixed, so only SST ids, writer ids and times differ
between runs. The interesting snapshot ids and the engine's answers are written to examples/data/snapshots.json.
"""
import datetime as dt
import json
import os
import random
import shutil
import uuid

import namidb

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = os.path.join(HERE, "data")
NS = "supply-chain"
RND = random.Random(20260301)
TEAMS = ["Payments", "Search", "Identity", "Logistics", "Mobile", "Analytics", "Platform", "Support"]
PARTS = ["cart", "ledger", "index", "login", "route", "push", "report", "gateway", "mail", "price", "stock",
         "fraud", "audit", "photo", "chat", "tax", "label", "quota", "geo", "invoice"]
KINDS = ["api", "worker", "cron", "stream", "ui"]
LIBS = ["fastlog", "httpkit", "jsonette", "cryptol", "pgwire", "cachet", "metricz", "yamlish", "retryx", "zipper",
        "imgmagic", "tokenz", "queuey", "dateish", "templ", "grpcore", "xmlite", "colorz", "pathy", "hashy"]


def nid(kind, name):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, "supply-chain/%s/%s" % (kind, name)))


DIRECT = "MATCH (s:Service)-[u:USES]->(v:Library {name: 'fastlog', version: '2.14'}) RETURN s.name AS service"
INDIRECT = ("MATCH (s:Service)-[u:USES]->(l:Library)-[w:USES]->(v:Library {name: 'fastlog', version: '2.14'}) "
            "RETURN s.name AS service")
TEAMS_EXPOSED = ("MATCH (t:Team)-[o:OWNS]->(s:Service)-[u:USES]->(v:Library {name: 'fastlog', version: '2.14'}) "
                 "RETURN t.name AS team, s.name AS service")


def answers(c):
    """What the engine itself says to the example's questions."""
    teams = {}
    for row in c.cypher(TEAMS_EXPOSED).rows():
        teams.setdefault(row["team"], []).append(row["service"])
    return {"direct": sorted({r["service"] for r in c.cypher(DIRECT).rows()}),
            "indirect": sorted({r["service"] for r in c.cypher(INDIRECT).rows()}),
            "teams": {t: sorted(s) for t, s in teams.items()}}


def version():
    folder = os.path.join(OUT, NS, "manifest", "pointer")
    return max(int(n[1:17], 16) for n in os.listdir(folder))


def main():
    shutil.rmtree(OUT, ignore_errors=True)
    os.makedirs(OUT)
    c = namidb.Client("file://%s?ns=%s" % (OUT, NS))
    marks = []

    def mark(title):
        marks.append({"version": version(), "title": title, "answers": answers(c)})

    # Monday: everything as it always was.
    services = ["%s-%s" % (p, k) for p in PARTS for k in KINDS if RND.random() < 0.85]
    libs = []
    for name in LIBS:
        for v in range(1, RND.choice([2, 3, 4])):
            libs.append((name, "%d.%d" % (RND.choice([1, 2]), v * 3 + RND.randrange(3))))
    libs = sorted(set(libs) | {("fastlog", "2.14")})
    c.merge_nodes("Team", [{"id": nid("team", t), "name": t, "oncall": i % 3 == 0} for i, t in enumerate(TEAMS)])
    c.merge_nodes("Service", [{"id": nid("service", s), "name": s, "tier": RND.randint(1, 3),
                               "requests_per_s": round(RND.lognormvariate(3, 1), 1)} for s in services])
    c.merge_nodes("Library", [{"id": nid("lib", n + v), "name": n, "version": v,
                               "license": RND.choice(["MIT", "Apache-2.0", "BSD-3"])} for n, v in libs])
    c.merge_edges("OWNS", [{"src": nid("team", RND.choice(TEAMS)), "dst": nid("service", s)} for s in services])
    uses = set()
    for s in services:
        for lib in RND.sample(libs, RND.randint(3, 7)):
            uses.add((nid("service", s), lib))
        if RND.random() < 0.35:
            uses.add((nid("service", s), ("fastlog", "2.14")))
    for i, lib in enumerate(libs):  # libraries use libraries further down the list: no circles
        for other in libs[i + 1:]:
            if other[0] != lib[0] and RND.random() < 0.05:
                uses.add((nid("lib", lib[0] + lib[1]), other))
    for lib in RND.sample([x for x in libs if x[0] != "fastlog"], 4):
        uses.add((nid("lib", lib[0] + lib[1]), ("fastlog", "2.14")))
    c.merge_edges("USES", [{"src": a, "dst": nid("lib", n + v), "pinned": RND.random() < 0.5}
                           for a, (n, v) in sorted(uses)])
    c.flush()
    mark("Monday: all quiet")

    # Wednesday: fastlog 2.14 turns out to be dangerous.
    c.cypher("MATCH (l:Library {_id: $id}) SET l:Vulnerable, l.cvss = 9.8, l.published = $d",
             {"id": nid("lib", "fastlog2.14"), "d": dt.date(2026, 3, 4)})
    c.flush()
    mark("Wednesday: fastlog 2.14 is declared vulnerable")

    # Friday: most users have moved to 2.17; one service was retired; the last changes are still in the WAL.
    c.upsert_node("Library", nid("lib", "fastlog2.17"), {"name": "fastlog", "version": "2.17", "license": "MIT"})
    bad = sorted(a for a, lib in uses if lib == ("fastlog", "2.14"))
    moved = [a for a in bad if RND.random() < 0.7]
    for a in moved:
        c.tombstone_edge("USES", a, nid("lib", "fastlog2.14"))
        c.upsert_edge("USES", a, nid("lib", "fastlog2.17"), {"pinned": True})
    c.flush()
    c.compact()
    gone = services[7]
    c.cypher("MATCH (s:Service {_id: $id}) DETACH DELETE s", {"id": nid("service", gone)})
    late = [a for a in bad if a not in moved][:3]
    for a in late:
        c.tombstone_edge("USES", a, nid("lib", "fastlog2.14"))
        c.upsert_edge("USES", a, nid("lib", "fastlog2.17"), {"pinned": True})
    c.commit()
    mark("Friday: most users have upgraded")
    del c
    shutil.rmtree(os.path.join(OUT, ".namidb"), ignore_errors=True)
    with open(os.path.join(OUT, "snapshots.json"), "w", encoding="utf-8", newline="\n") as f:
        json.dump({"namespace": NS, "engine": namidb.__version__, "snapshots": marks}, f, indent=1, sort_keys=True)
        f.write("\n")


if __name__ == "__main__":
    main()
