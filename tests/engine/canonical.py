"""The engine's answers in the form of golden/README.md: what a reader of the files must give."""
import datetime as dt
import json

EPOCH_DAY = dt.date(1970, 1, 1).toordinal()
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)


def canonical(v):
    """A Python value as the engine's client gives it -> JSON form of golden/README.md."""
    if v is None or isinstance(v, (bool, int, str, float)):
        return v
    if isinstance(v, bytes):
        return {"$bytes": v.hex()}
    if isinstance(v, dt.datetime):
        d = v - EPOCH
        return {"$datetime": (d.days * 86400 + d.seconds) * 10**6 + d.microseconds}
    if isinstance(v, dt.date):
        return {"$date": v.toordinal() - EPOCH_DAY}
    if isinstance(v, (list, tuple)):
        return [canonical(x) for x in v]
    if isinstance(v, dict):
        return {"$map": {k: canonical(x) for k, x in v.items()}}
    raise TypeError(type(v))


def props(d):
    return {k: canonical(v) for k, v in d.items()}


def answers(client, edge_types):
    """All live nodes and stored edges, as the engine sees them now."""
    nodes = {}
    for row in client.cypher("MATCH (n) RETURN n").rows():
        n = row["n"]
        assert n["id"] not in nodes, n["id"]
        nodes[n["id"]] = {"id": n["id"], "labels": sorted(n["labels"]), "properties": props(n["properties"])}
    edges = []
    for t in edge_types:
        for e in client.scan_edge_type(t):
            edges.append({"type": t, "src": e["src"], "dst": e["dst"], "properties": props(e["properties"])})
    return list(nodes.values()), edges


def dump(obj):
    return json.dumps(obj, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
