"""Reads, pins, inserts, deletes and changes a graph through Spark Connect: connect.py WORK, with NAMIDB_JAR.

The server runs in a JVM that this process starts, on a port of its own choice; everything goes over the wire.
"""
import json
import os
import sys
import time
import uuid
from pathlib import Path

os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
os.environ["SPARK_TESTING"] = "1"  # the server takes any free port, not the usual one

from pyspark.errors import PySparkException  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

import namidb  # noqa: E402

IDS = [str(uuid.UUID(int=i)) for i in range(1, 21)]


def engine_made(folder):
    """Ten people in a ring; version 1 has the first five of them only."""
    c = namidb.Client("file://%s?ns=social" % folder)
    people = "UNWIND $rows AS r CREATE (:Person {_id: r.id, name: r.name, age: r.age})"
    rows = [{"id": i, "name": "p%d" % n, "age": 20 + n} for n, i in enumerate(IDS[:10])]
    c.cypher(people, {"rows": rows[:5]})
    c.flush()
    five = max(int(n[1:17], 16) for n in os.listdir(folder / "social" / "manifest" / "pointer"))
    c.cypher(people, {"rows": rows[5:]})
    c.merge_edges("KNOWS", [{"src": IDS[n], "dst": IDS[(n + 1) % 10], "since": 2000 + n} for n in range(10)])
    c.commit()
    return five


class Check:
    def __init__(self, folder):
        self.folder, self.uri = folder, "file://%s?ns=social" % folder
        self.pins = folder / "social" / "manifest" / "pins"

    def leases(self):
        return len(os.listdir(self.pins)) if self.pins.exists() else 0

    def until(self, count, seconds=20):
        """A lease of a query goes when the driver hears of its end, which is a little later than the client does."""
        end = time.monotonic() + seconds
        while self.leases() != count and time.monotonic() < end:
            time.sleep(0.05)
        self.same("leases", self.leases(), count)

    def same(self, what, got, want):
        assert got == want, "%s: %r instead of %r" % (what, got, want)
        print("ok", what, json.dumps(got))

    def refused(self, what, words, action):
        try:
            action()
        except PySparkException as e:
            assert words in str(e), "%s: %s" % (what, e)
            print("ok", what, "is refused")
            return
        raise AssertionError(what + " was not refused")


def count(spark, table="nodes.Person", more=""):
    return spark.sql("SELECT count(*) FROM nami.social.%s %s" % (table, more)).first()[0]


def main():
    folder = Path(sys.argv[1]).resolve()
    five = engine_made(folder)
    check = Check(folder)
    one = (SparkSession.builder.remote("local[2]")
           .config("spark.jars", os.environ["NAMIDB_JAR"])
           .config("spark.ui.enabled", "false")
           .config("spark.ui.showConsoleProgress", "false")
           .config("spark.log.level", "ERROR")
           .config("spark.sql.shuffle.partitions", "2")
           .config("spark.sql.catalog.nami", "com.namidb.spark.NamiCatalog")
           .config("spark.sql.catalog.nami.uri", "file://%s" % folder)
           .getOrCreate())
    check.same("this is Connect", "connect" in type(one).__module__, True)
    two = SparkSession.builder.remote("sc://localhost").create()  # the port is that of the server of this process
    check.same("two sessions", one.session_id != two.session_id, True)

    # Reading, by path and by name, and what went wrong as text.
    people = one.read.format("namidb").option("label", "Person").load(check.uri)
    check.same("people", people.count(), 10)
    check.same("names", sorted(r.name for r in people.where("age < 23").collect()), ["p0", "p1", "p2"])
    check.same("hidden", people.select("_snapshot_id").distinct().count(), 1)
    check.same("pairs", one.sql("SELECT a.name, b.name FROM nami.social.edges.KNOWS k JOIN nami.social.nodes.Person a"
                                " ON a._id = k._src JOIN nami.social.nodes.Person b ON b._id = k._dst").count(), 10)
    check.same("as of", count(one, more="VERSION AS OF %d" % five), 5)
    check.same("pandas", list(people.select("name").orderBy("name").limit(2).toPandas().name), ["p0", "p1"])
    check.refused("a wrong option", "label", lambda: one.read.format("namidb").option("lable", "x").load(check.uri).count())
    check.refused("a wrong name", "Did you mean 'Person'?", lambda: one.sql("SELECT * FROM nami.social.nodes.Persn").collect())
    check.until(0)

    # A pin is that of one session.
    now = one.sql("SELECT max(version) FROM nami.social.snapshots").first()[0]
    pinned = one.sql("CALL nami.system.pin(namespace => 'social', version => %d)" % five).collect()
    check.same("pinned", [r.snapshot_id for r in pinned], [five])
    check.same("in the session", count(one), 5)
    check.same("by path", one.read.format("namidb").option("label", "Person").load(check.uri).count(), 5)
    check.same("in the other", count(two), 10)
    # A client's DataFrame is its text. The server loads its tables anew unless it has the plan in its cache.
    one.conf.set("spark.connect.session.planCache.enabled", "false")
    check.same("a DataFrame made before", people.count(), 5)
    mine = "SELECT count_if(this_session) FROM pins"
    for spark, want in ((one, 1), (two, 0)):
        spark.sql("CALL nami.system.pins('social')").createOrReplaceTempView("pins")
        check.same("its own pins", spark.sql(mine).first()[0], want)
    check.until(1)

    # The other session writes; the pinned one does not see it, and may not change what it sees as it was.
    two.sql("INSERT INTO nami.social.nodes.Person (_id, name, age) VALUES ('%s', 'new', 50)" % IDS[10])
    rows = two.createDataFrame([(IDS[11], "frame", 51), (IDS[12], "frame too", 52)], "_id string, name string, age int")
    rows.write.format("namidb").option("label", "Person").mode("append").save(check.uri)
    rows.withColumn("age", rows.age + 1).withColumn("_id", rows["_id"]).limit(1).write.format("namidb") \
        .option("label", "Person").option("write-mode", "upsert").mode("append").save(check.uri)
    two.sql("UPDATE nami.social.nodes.Person SET age = age + 100 WHERE name = 'new'")
    two.sql("DELETE FROM nami.social.edges.KNOWS WHERE since < 2003")
    two.sql("SET `spark.namidb.on-incident-edges`=detach")
    two.sql("DELETE FROM nami.social.nodes.Person WHERE age < 22")
    check.same("other, after", (count(two), count(two, "edges.KNOWS")), (11, 6))
    check.same("ages", sorted(r[0] for r in two.sql("SELECT age FROM nami.social.nodes.Person WHERE age > 40").collect()),
               [52, 52, 150])
    check.same("pinned, after", count(one), 5)
    check.refused("a DELETE under the pin", "pinned", lambda: one.sql("DELETE FROM nami.social.nodes.Person").collect())
    check.same("versions", two.sql("SELECT max(version) FROM nami.social.snapshots").first()[0], now + 6)
    check.until(1)

    # Leases go with unpin, with the end of a session, and with the server.
    check.same("unpin", one.sql("CALL nami.system.unpin('social')").first().was_pinned, True)
    check.until(0)
    check.same("unpinned", count(one), 11)
    two.sql("CALL nami.system.pin('social')").collect()
    one.sql("CALL nami.system.pin('social')").collect()
    check.until(2)
    two.client.release_session()  # stop() would stop the server as well, as this process started it
    two.client.close()
    check.until(1)
    check.same("the other one goes on", count(one), 11)
    one.stop()
    check.until(0)


if __name__ == "__main__":
    main()
