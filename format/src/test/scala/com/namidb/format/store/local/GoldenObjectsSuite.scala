package com.namidb.format.store.local

import java.nio.file.Files
import java.util.Optional

import scala.jdk.CollectionConverters._

import com.namidb.format.{Canon, Golden}
import com.namidb.format.snapshot.LocationParser
import com.namidb.format.manifest.KeyEncoding
import com.namidb.format.store.open.StoreOpener
import org.scalatest.funsuite.AnyFunSuite

/** The engine's own files, found by the names its manifests give them. */
class GoldenObjectsSuite extends AnyFunSuite {
  test("every SST an engine-made manifest names is the object of its encoded key, with the size told") {
    var odd = 0
    for (golden <- Golden.cases) {
      val location = LocationParser.parse(golden.uri, Optional.empty, Optional.empty, java.util.Map.of())
      val store = StoreOpener.open(location.store)
      val bodies = store.list(golden.ns + "/manifest/v", Optional.empty[String]).objects.asScala.map(_.key)
      assert(bodies.nonEmpty && location.paths.namespace == golden.ns)
      for (sst <- Canon.mapper.readTree(store.get(bodies.last).get.bytes).get("ssts").asScala) {
        val key = KeyEncoding.encode(golden.ns + "/" + sst.get("path").asText)
        assert(store.head(key).get.size == sst.get("size_bytes").asLong, key)
        if (key.contains("%")) odd += 1
      }
    }
    assert(odd > 5, "names that need encoding were not met")
  }

  test("a listing of an engine-made namespace is its files") {
    for (golden <- Golden.cases) {
      val all = Files.walk(golden.folder)
      val files = try all.iterator.asScala.filter(Files.isRegularFile(_)).map(golden.store.relativize(_).toString).toSeq.sorted
      finally all.close()
      val store = LocalStore.open(golden.store)
      assert(store.list(golden.ns + "/", Optional.empty[String]).objects.asScala.map(_.key).toSeq == files)
      assert(store.listFolders(golden.ns + "/", Optional.empty[String]).names.contains("manifest"))
    }
  }
}
