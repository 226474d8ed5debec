package com.namidb.format.store.local

import java.nio.file.{Files, Path}
import java.util.Optional
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import com.namidb.format.error.StoreException
import com.namidb.format.id.Hex
import com.namidb.format.store.{ByteRange, ObjectStore, ObjectStoreContract, TempDirs, Xxh3}
import com.namidb.format.store.PutResult.{Refused, Written}

class LocalStoreSuite extends ObjectStoreContract {
  private var root: Path = _

  def withStore(pageSize: Int)(test: ObjectStore => Unit): Unit = TempDirs.withDir { dir =>
    root = dir.resolve("made/on/demand")
    test(LocalStore.open(root, pageSize))
  }

  // Another spelling of the directory is another client of the same files.
  override def again(store: ObjectStore): ObjectStore = LocalStore.open(root.resolve("../demand"), 1000)

  private def files(dir: Path): Seq[String] = {
    val all = Files.walk(dir)
    try all.iterator.asScala.filter(Files.isRegularFile(_)).map(dir.relativize(_).toString).toSeq.sorted
    finally all.close()
  }

  test("a key is the path of its file, letter by letter, and nothing else is left beside it") {
    withStore(10) { store =>
      store.putIfAbsent("ns/sst/a%20b%C3%BC.parquet", bytes("x"))
      store.putIfAbsent("ns/sst/a%20b%C3%BC.parquet", bytes("y"))
      store.put("ns/manifest/current.json", bytes("1"))
      store.put("ns/manifest/current.json", bytes("2"))
      val upload = store.upload("ns/up")
      upload.write(bytes("z"), 0, 1)
      upload.finish()
      assert(files(root) == Seq("ns/manifest/current.json", "ns/sst/a%20b%C3%BC.parquet", "ns/up"))
      assert(Files.readString(root.resolve("ns/sst/a%20b%C3%BC.parquet")) == "x")
    }
  }

  test("what the engine and a crashed writer leave behind is no object") {
    withStore(10) { store =>
      store.put("ns/a", bytes("x"))
      for (f <- Seq(".namidb/cas.lock", "ns/a#1", "ns/dir/b.json#123456789", ".lock", "ns/.lock")) {
        Files.createDirectories(root.resolve(f).getParent)
        Files.writeString(root.resolve(f), "no object")
      }
      Files.createDirectories(root.resolve("ns/empty/dirs"))
      assert(keys(store, "") == Seq("ns/a") && keys(store, "ns/a") == Seq("ns/a"))
      assert(store.listFolders("", Optional.empty[String]).names.asScala == Seq("ns"))
      assert(store.listFolders("ns/", Optional.empty[String]).names.isEmpty)
      for (key <- Seq(".namidb/cas.lock", "ns/a#1", "ns/.lock", ".lock", "ns/x#7/y"))
        assert(intercept[StoreException](store.get(key)).getMessage.contains("reserved"))
      // Only the root has a control directory, and only digits after '#' mark a temporary file.
      for (key <- Seq("ns/.namidb/x", "ns/a#1b", "ns/.lock.json")) {
        store.put(key, bytes("x"))
        assert(keys(store, "ns/").contains(key))
      }
    }
  }

  test("a symbolic link below the root is refused, a root behind one is not") {
    withStore(10) { store =>
      store.put("ns/a", bytes("x"))
      val outside = Files.createDirectories(root.resolve("../outside"))
      Files.writeString(outside.resolve("secret"), "secret")
      Files.createSymbolicLink(root.resolve("ns/out"), outside)
      Files.createSymbolicLink(root.resolve("ns/file"), outside.resolve("secret"))
      Files.createSymbolicLink(root.resolve("ns/dangling"), outside.resolve("new"))
      for (key <- Seq("ns/out/secret", "ns/file", "ns/dangling", "ns/out/new")) {
        val calls = Seq[() => Any](() => store.get(key), () => store.head(key), () => store.getRange(key, new ByteRange(0, 1)),
          () => store.putIfAbsent(key, bytes("y")), () => store.put(key, bytes("y")), () => store.putIfMatch(key, bytes("y"), "e"),
          () => store.upload(key), () => store.delete(key))
        for (call <- calls) assert(intercept[StoreException](call()).getMessage.contains("symbolic link"))
      }
      assert(keys(store, "") == Seq("ns/a"))
      intercept[StoreException](store.list("ns/out/", Optional.empty))
      assert(Files.readString(outside.resolve("secret")) == "secret" && !Files.exists(outside.resolve("new")))

      val behind = LocalStore.open(Files.createSymbolicLink(root.resolve("../link"), root))
      assert(text(behind, "ns/a").contains("x") && keys(behind, "ns/") == Seq("ns/a"))
      assert(behind.putIfAbsent("ns/b", bytes("y")).isInstanceOf[Written])
    }
  }

  test("the tag is the XXH3-64 of the content, whoever wrote the file") {
    withStore(10) { store =>
      val body = Array.tabulate(1000003)(i => (i * 31).toByte)
      Files.createDirectories(root.resolve("ns"))
      Files.write(root.resolve("ns/manifest.json"), body)
      val expected = Hex.h16(Xxh3.hash(body))
      assert(store.head("ns/manifest.json").get.etag == expected)
      assert(store.get("ns/manifest.json").get.meta.etag == expected)
      assert(store.putIfMatch("ns/manifest.json", bytes("new"), expected) == new Written(Hex.h16(Xxh3.hash(bytes("new")))))
      assert(files(root) == Seq("ns/.lock", "ns/manifest.json"))
      val upload = store.upload("ns/up")
      body.grouped(4099).foreach(p => upload.write(p, 0, p.length))
      assert(upload.finish() == new Written(expected))
    }
  }

  test("a replacement waits for the lock another process holds") {
    withStore(10) { store =>
      val etag = store.put("ns/m", bytes("old")).asInstanceOf[Written].etag
      val lock = root.resolve("ns/.lock")
      val script =
        """import fcntl,sys
          |f=open(sys.argv[1],'w'); fcntl.lockf(f,fcntl.LOCK_EX); print('held',flush=True)
          |sys.stdin.readline(); open(sys.argv[2],'w').write('theirs'); print('wrote',flush=True)""".stripMargin
      val python = try new ProcessBuilder("python3", "-c", script, lock.toString, root.resolve("ns/m").toString).start()
      catch { case e: java.io.IOException => cancel("no python3 here to hold the lock", e) }
      try {
        val out = python.inputReader()
        assert(out.readLine() == "held")
        val waiting = java.util.concurrent.CompletableFuture.supplyAsync(() => store.putIfMatch("ns/m", bytes("ours"), etag))
        assertThrows[java.util.concurrent.TimeoutException](waiting.get(200, TimeUnit.MILLISECONDS))
        python.outputWriter().append("go\n").close()
        assert(waiting.get(20, TimeUnit.SECONDS) == new Refused, "the other process replaced it first")
        assert(text(store, "ns/m").contains("theirs"))
      } finally python.destroy()
    }
  }

  test("a file where a folder should be, and the reverse, is a typed error or no object") {
    withStore(10) { store =>
      store.put("ns/a", bytes("x"))
      store.put("ns/dir/b", bytes("x"))
      assert(store.get("ns/a/b").isEmpty && store.head("ns/a/b").isEmpty && keys(store, "ns/a/") == Nil)
      assert(store.get("ns/dir").isEmpty && store.getRange("ns/dir", new ByteRange(0, 1)).isEmpty)
      store.delete("ns/dir")
      for (call <- Seq[() => Any](() => store.putIfAbsent("ns/a/b", bytes("y")), () => store.put("ns/a/b", bytes("y")),
          () => store.upload("ns/a/b"), () => store.putIfAbsent("ns/dir", bytes("y")), () => store.put("ns/dir", bytes("y"))))
        assert(intercept[StoreException](call()).getMessage.contains("file system"))
      assert(files(root) == Seq("ns/a", "ns/dir/b"))
    }
  }

  test("names the file system cannot hold are a typed error") {
    withStore(10) { store =>
      intercept[StoreException](store.putIfAbsent("ns/" + "x" * 300, bytes("y")))
    }
  }

  test("tidying removes folders that hold nothing, and nothing else") {
    withStore(10) { store =>
      for (k <- Seq("ns/a/b/c/x", "ns/a/y", "ns/d/z", "other/e/x")) store.put(k, bytes("x"))
      for (k <- Seq("ns/a/b/c/x", "ns/d/z", "other/e/x")) store.delete(k)
      Files.createDirectories(root.resolve("ns/foreign"))
      Files.createSymbolicLink(root.resolve("ns/link"), root.resolve("other/e"))
      store.tidy("ns/")
      store.tidy("nowhere/")
      assert(files(root) == Seq("ns/a/y") && !Files.exists(root.resolve("ns/a/b")) && !Files.exists(root.resolve("ns/d")))
      assert(!Files.exists(root.resolve("ns/foreign")) && Files.isSymbolicLink(root.resolve("ns/link")) && Files.exists(root.resolve("other/e")))
      store.delete("ns/a/y")
      Files.delete(root.resolve("ns/link"))
      store.tidy("ns/")
      assert(!Files.exists(root.resolve("ns")) && Files.exists(root))
    }
  }
}
