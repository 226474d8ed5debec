package com.namidb.spark.write

import com.namidb.format.store.TempDirs
import com.namidb.spark.{Place, Places}
import com.namidb.spark.job.Jobs

class RestoredSuite extends RestoredTests(Places.Local)

class SingleObjectBucketRestoredSuite extends RestoredTests(Places.SingleObjectBucket)

/** Writes of a session whose namespace was restored or deleted behind its back. */
class RestoredTests(override val places: Places) extends Writing {
  private def deleted(p: Place): Unit = p.keys("g/").foreach(p.delete)

  /** Version 3 is this session's own commit when version 1 is put back. */
  private def restored(test: Place => Unit): Unit = withPlace { p =>
    val backup = Place.of(TempDirs.lasting("backup-"))
    write(nodes(1 to 1), p, "label" -> "P")
    p.copyTo(backup)
    write(nodes(2 to 2), p, "label" -> "P")
    write(nodes(3 to 3), p, "label" -> "P", "stage" -> "s")
    write(nodes(4 to 4), p, "label" -> "P")
    for (key <- p.keys("g/bulk/s/")) backup.put(key, p.bytes(key))
    deleted(p)
    backup.copyTo(p)
    test(p)
  }

  test("a job on a restored version stands on that version, also when it has no rows") {
    restored { p =>
      write(nodes(1 to 0), p, "label" -> "P", "job-id" -> "empty")
      assert(version(p) == 2 && numbers(p, "P") == Set(1))
      write(nodes(5 to 5), p, "label" -> "P", "write-mode" -> "upsert")
      assert(version(p) == 3 && numbers(p, "P") == Set(1, 5))
    }
  }

  test("a stage published without any plan since then stands on it as well") {
    restored { p =>
      val receipt = Jobs.at(java.util.Map.of("uri", uri(p))).publish("s")
      assert(receipt.base == 1 && receipt.version == 2 && numbers(p, "P") == Set(1, 3))
    }
  }

  test("a namespace that was deleted is made anew by the next write") {
    withPlace { p =>
      for (n <- 1 to 3) write(nodes(n to n), p, "label" -> "P")
      deleted(p)
      write(nodes(7 to 8), p, "label" -> "Q")
      assert(version(p) == 1 && numbers(p, "Q") == Set(7, 8))
    }
  }
}
