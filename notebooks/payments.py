"""The graph of the notebook, made by the NamiDB engine: people and shops, and who paid whom in autumn 2026.

    python payments.py make PLACE     a new graph "payments" there; in a folder, what was there of that name is deleted
    python payments.py go-on PLACE    the next week: accounts are closed and opened, payments arrive, files are compacted

PLACE is a folder or a URI: file:///dir, s3://bucket/prefix, s3://bucket/prefix?endpoint=http://host:9000&allow_http=true

Everything but the times of the commits and the names of the files is the same in every run.
"""
import datetime as dt
import math
import os
import random
import shutil
import sys
import uuid

import namidb

NAME = "payments"
UTC = dt.timezone.utc
FIRST = dt.date(2026, 9, 1)
DAYS = 60
LAST = FIRST + dt.timedelta(days=DAYS)
RING_DAY = dt.date(2026, 10, 14)

GIVEN = ("Ada Ben Cleo Dag Elif Finn Gita Hugo Ines Jan Kim Lena Mats Nora Omar Pia Quim Rosa Sven Tara "
         "Uma Vito Wanda Yara").split()
FAMILY = ("Adler Berg Costa Dahl Ekman Fiala Greco Holm Ito Jansen Kaya Lund Moreau Novak Okoye Pinto Quist Rossi "
          "Silva Toth").split()
CITIES = ["Oslo", "Lisbon", "Kraków", "Ghent"]
SHOPS = {"bakery": ["Crumb", "Rye & Co", "Morning Loaf", "Flour Power"], "books": ["Page One", "The Lost Comma"],
         "bikes": ["Spoke", "Two Wheels"], "coffee": ["Kettle", "Third Cup", "Bean There", "Slow Drip", "Corner Café"],
         "grocer": ["Green Basket", "Daily Market", "Root & Leaf", "Night Owl"], "cinema": ["Odeon", "Little Screen"],
         "records": ["Side B"], "flowers": ["Tulip", "Wild Fern"], "tools": ["Nuts & Bolts", "The Shed"]}

# Each of these was paid by two or three others on one day, and paid nearly all of it on within hours.
RING = {"Vito Quist": 3, "Tara Fiala": 2, "Mats Okoye": 3, "Ines Toth": 2, "Dag Rossi": 3}
COLLECTORS = ["Cleo Greco", "Hugo Ito", "Wanda Kaya"]


def nid(name):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, NAME + "/" + name))


def at(rnd, day):
    """Some time of the day, mostly around noon and evening."""
    hour = min(23.9, max(0.1, rnd.choice([rnd.gauss(12.5, 1.5), rnd.gauss(18.5, 2.5)])))
    return dt.datetime(day.year, day.month, day.day, tzinfo=UTC) + dt.timedelta(seconds=int(hour * 3600))


def busy(day):
    """How much is paid on a day, compared with a Monday: weekends and the days after pay day are busy."""
    return [1.0, 1.0, 1.05, 1.15, 1.6, 1.9, 1.3][day.weekday()] * (1.35 if day.day in (25, 26, 27) else 1.0)


class Town:
    """Who there is, and who has paid whom: an edge type has one edge from one node to another."""

    def __init__(self):
        self.rnd = random.Random(20260901)
        names = ["%s %s" % (g, f) for f in FAMILY for g in GIVEN]
        self.rnd.shuffle(names)
        chosen = [n for n in names if n not in RING and n not in COLLECTORS]
        self.people = chosen[:420] + list(RING) + COLLECTORS
        self.newcomers = chosen[420:436]
        self.shops = [(s, kind) for kind in sorted(SHOPS) for s in SHOPS[kind]]
        self.paid = set()
        # A few are paid by many and most by few, as everywhere.
        order = self.rnd.sample(self.people, len(self.people))
        self.receivers = [(s, 90 / (i + 1) ** 0.7) for i, (s, _) in enumerate(self.rnd.sample(self.shops, len(self.shops)))]
        self.receivers += [(n, 0 if n in RING or n in COLLECTORS else 12 / (i + 4) ** 0.6) for i, n in enumerate(order)]
        self.savers = [n for n in self.people if n not in RING and n not in COLLECTORS]

    def pay(self, a, b, cents, when):
        self.paid.add((a, b))
        return {"a": nid(a), "b": nid(b), "cents": cents, "at": when}

    def day(self, day, count, payers):
        out = []
        names, weights = zip(*self.receivers)
        for _ in range(int(count * busy(day) * self.rnd.uniform(0.9, 1.1))):
            a, b = self.rnd.choice(payers), self.rnd.choices(names, weights)[0]
            if a != b and (a, b) not in self.paid:
                out.append(self.pay(a, b, int(100 * math.exp(self.rnd.gauss(3.5, 0.8))), at(self.rnd, day)))
        return out

    def ring(self):
        out = []
        noon = dt.datetime(RING_DAY.year, RING_DAY.month, RING_DAY.day, 9, tzinfo=UTC)
        victims = self.rnd.sample(self.savers, sum(RING.values()))
        for mule, times in RING.items():
            # Sums far enough apart, so that each one passed on belongs to one that was received.
            sums = self.rnd.sample([(50_000, 56_000), (68_000, 76_000), (92_000, 99_000)], times)
            for collector, span in zip(self.rnd.sample(COLLECTORS, times), sums):
                cents, when = self.rnd.randrange(*span), noon + dt.timedelta(minutes=self.rnd.randrange(300))
                out.append(self.pay(victims.pop(), mule, cents, when))
                out.append(self.pay(mule, collector, int(cents * self.rnd.uniform(0.9, 0.97)),
                                    when + dt.timedelta(minutes=self.rnd.randrange(40, 400))))
        return out


def as_uri(place):
    return place if "://" in place else "file://" + os.path.abspath(place)


class Engine:
    def __init__(self, place):
        self.uri = as_uri(place)
        self.client = namidb.Client("%s%sns=%s" % (self.uri, "&" if "?" in self.uri else "?", NAME))

    def run(self, statement, rows):
        self.client.cypher("UNWIND $rows AS r " + statement, {"rows": rows})

    def people(self, names, joined):
        self.run("CREATE (:Account:Person {_id: r.id, name: r.name, city: r.city, joined: r.joined})",
                 [{"id": nid(n), "name": n, "city": CITIES[i % len(CITIES)], "joined": joined(i)}
                  for i, n in enumerate(names)])

    def shops(self, town):
        self.run("CREATE (:Account:Shop {_id: r.id, name: r.name, kind: r.kind})",
                 [{"id": nid(n), "name": n, "kind": kind} for n, kind in town.shops])

    def payments(self, rows):
        self.run("MATCH (a:Account {_id: r.a}), (b:Account {_id: r.b}) CREATE (a)-[:PAID {cents: r.cents, at: r.at}]->(b)", rows)

    def version(self):
        """Of a graph in a folder; the engine does not tell, and a bucket has no folders to look into."""
        folder = self.uri.removeprefix("file://")
        if "://" in folder:
            return None
        return max(int(n[1:17], 16) for n in os.listdir(os.path.join(folder, NAME, "manifest", "pointer")))


def first_weeks(engine):
    town = Town()
    if engine:
        engine.people(town.people, lambda i: FIRST - dt.timedelta(days=1 + i * i % 700))
        engine.shops(town)
        engine.client.flush()
    for i in range(DAYS):
        day = FIRST + dt.timedelta(days=i)
        rows = town.day(day, 60, town.people) + (town.ring() if day == RING_DAY else [])
        if engine:
            engine.payments(rows)
            if day.weekday() == 6:
                engine.client.flush()
    return town


def make(place):
    folder = as_uri(place).removeprefix("file://")
    if "://" not in folder:
        shutil.rmtree(os.path.join(folder, NAME), ignore_errors=True)
        os.makedirs(folder, exist_ok=True)
    engine = Engine(place)
    if engine.client.cypher("MATCH (n) RETURN n LIMIT 1").rows():
        sys.exit("there is a graph %s already: DROP NAMESPACE it, or name another place" % NAME)
    first_weeks(engine)
    print("the engine made the graph %s: version %s" % (NAME, engine.version() or "unknown"))


def go_on(place):
    town = first_weeks(None)
    engine = Engine(place)
    client = engine.client
    closed = list(RING) + COLLECTORS
    client.cypher("MATCH (p:Person) WHERE p.name IN $names DETACH DELETE p", {"names": closed})
    town.receivers = [(n, w) for n, w in town.receivers if n not in closed]
    client.flush()
    print("%d accounts closed, their payments deleted" % len(closed))
    engine.people(town.newcomers, lambda i: LAST + dt.timedelta(days=i % 3))
    movers = town.savers[:5]
    client.cypher("MATCH (p:Person) WHERE p.name IN $names SET p.city = 'Vienna'", {"names": movers})
    print("%d people joined, %d moved to Vienna" % (len(town.newcomers), len(movers)))
    count = 0
    for i in range(7):
        rows = town.day(LAST + dt.timedelta(days=i), 60, town.newcomers + town.savers)
        engine.payments(rows)
        count += len(rows)
        if i == 4:
            client.flush()
            client.compact()
            print("files compacted")
    print("%d payments arrived" % count)
    if engine.version():
        print("version %d now" % engine.version())


if __name__ == "__main__":
    {"make": make, "go-on": go_on}[sys.argv[1]](sys.argv[2])
