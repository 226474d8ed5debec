package com.namidb.format.store.open

import java.util.Map.{of => mapOf}

import com.namidb.format.error.InvalidOptionException
import com.namidb.format.store.{StoreConfig, TempDirs}
import org.scalatest.funsuite.AnyFunSuite

class StoreOpenerSuite extends AnyFunSuite {
  private def open(scheme: String, place: String) = StoreOpener.open(new StoreConfig(scheme, place, mapOf("s3.secret-access-key", "hush")))

  test("file and memory stores open by their configuration") {
    TempDirs.withDir { dir =>
      open("file", dir.toString).put("ns/a", Array[Byte](1))
      assert(java.nio.file.Files.exists(dir.resolve("ns/a")))
      assert(open("file", dir.resolve("none").toString).get("ns/a").isEmpty)
      assert(!java.nio.file.Files.exists(dir.resolve("none")))
    }
    open("memory", "opener-suite").put("ns/a", Array[Byte](1))
    assert(open("memory", "opener-suite").head("ns/a").isPresent && open("memory", "opener-suite2").head("ns/a").isEmpty)
  }

  test("other schemes are errors that name what there is and no secret") {
    for ((scheme, said) <- Seq("s3" -> "s3:// stores cannot be opened", "gs" -> "Unknown URI scheme 'gs'", "FILE" -> "'FILE'")) {
      val e = intercept[InvalidOptionException](open(scheme, "bucket"))
      assert(e.getMessage.contains(said) && e.getMessage.contains("Use file://<folder>?ns=<namespace>"))
      assert(!e.getMessage.contains("hush") && !e.getMessage.contains("memory"))
    }
    assert(intercept[InvalidOptionException](open("file", "a\u0000b")).getMessage.contains("cannot be used"))
  }
}
