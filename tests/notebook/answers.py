"""What the engine itself says about the graph of the notebook, as one line of JSON: answers.py FOLDER

Opening commits a version, so FOLDER has to be a copy. Sums and two hops are worked out here, from the rows of Cypher.
"""
import collections
import datetime as dt
import json
import os
import sys

import namidb


def main():
    folder = os.path.abspath(sys.argv[1])
    version = max(int(n[1:17], 16) for n in os.listdir(os.path.join(folder, "payments", "manifest", "pointer")))
    c = namidb.Client("file://%s?ns=payments" % folder)

    def rows(query):
        return [list(r.values()) for r in c.cypher(query).rows()]

    people = {i: (name, city, str(joined))
              for i, name, city, joined in rows("MATCH (p:Person) RETURN p._id, p.name, p.city, p.joined")}
    shops = {r[0] for r in rows("MATCH (s:Shop) RETURN s._id")}
    paid = rows("MATCH (a:Account)-[r:PAID]->(b:Account) RETURN a._id, b._id, r.cents, r.at")
    chains = [(a, b, d, p, q, (t - s).total_seconds())
              for a, b, d, p, s, q, t in rows("MATCH (a:Account)-[p:PAID]->(b:Account)-[q:PAID]->(d:Account) "
                                              "WHERE p.cents >= 50000 AND q.at >= p.at AND q.cents <= p.cents "
                                              "RETURN a._id, b._id, d._id, p.cents, p.at, q.cents, q.at")
              if t - s <= dt.timedelta(hours=24) and q >= 0.85 * p]
    days, payers = collections.Counter(), collections.Counter()
    for a, b, cents, at in paid:
        days[str(at.date())] += cents
        payers[b] += 1
    bins = collections.Counter((b in shops, n.bit_length() - 1) for b, n in payers.items())
    print(json.dumps({
        "report": {"snapshot": version, "people": len(people), "shops": len(shops), "payments": len(paid),
                   "euros paid": sum(r[2] for r in paid) / 100, "busiest day": max(days, key=days.get),
                   "accounts that passed money on": len({r[1] for r in chains}),
                   "euros passed on": sum(r[4] for r in chains) / 100},
        "people": people,
        "paid": [[a, b, cents, str(at)] for a, b, cents, at in paid],
        "days": {d: cents / 100 for d, cents in days.items()},
        "bins": [[shop, b, n] for (shop, b), n in sorted(bins.items())],
        "chains": sorted([people[a][0], people[b][0], people[d][0], p, q] for a, b, d, p, q, _ in chains),
        "hours": {people[m][0]: round(sum(h) / len(h) / 3600, 1) for m in {r[1] for r in chains}
                  for h in [[r[5] for r in chains if r[1] == m]]},
    }))


if __name__ == "__main__":
    main()
