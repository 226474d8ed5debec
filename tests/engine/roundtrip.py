"""Opens a namespace somebody else committed to, answers, works on it as usual, and answers again.

    roundtrip.py STORE NAMESPACE OUT EDGE_TYPES [UPDATED_ID LABEL DELETED_ID SRC DST]

OUT gets two lines like those of history.py: what the engine sees at once, and what it sees after an update, a
delete of a node and of an edge (if ids are given), a flush, a compaction and another open.
"""
import gc
import os
import sys

import namidb

from canonical import answers, dump


def version(store, ns):
    return max(int(n[1:17], 16) for n in os.listdir(os.path.join(store, ns, "manifest", "pointer")))


def look(client, types, store, ns):
    nodes, edges = answers(client, types)
    return {"version": version(store, ns), "nodes": nodes, "edges": edges}


def same(a, b):
    return all(sorted(map(dump, a[k])) == sorted(map(dump, b[k])) for k in ("nodes", "edges"))


def main():
    store, ns, out, types = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4].split(",")
    types = [t for t in types if t]
    uri = "file://%s?ns=%s" % (store, ns)
    c = namidb.Client(uri)
    looks = [look(c, types, store, ns)]
    if len(sys.argv) > 5:
        updated, label, deleted, src, dst = sys.argv[5:10]
        c.cypher("MATCH (n:`%s` {_id: $id}) SET n.touched = true" % label, {"id": updated})
        c.tombstone_node(label, deleted)
        c.tombstone_edge(types[0], src, dst)
        c.commit()
    c.flush()
    c.compact()
    looks.append(look(c, types, store, ns))
    # A session of its own claims the next epoch and starts from the files alone.
    c = None
    gc.collect()
    c = namidb.Client(uri)
    assert same(look(c, types, store, ns), looks[1]), "answers changed by opening again"
    with open(out, "w", encoding="utf-8", newline="\n") as f:
        f.writelines(dump(x) + "\n" for x in looks)


if __name__ == "__main__":
    main()
