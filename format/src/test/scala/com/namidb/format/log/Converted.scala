package com.namidb.format.log

import com.namidb.format.manifest.{ManifestJson, NamespacePaths, SingleObjectText}
import com.namidb.format.store.ObjectStore

/** Turns a namespace of the engine's layout into the single-object one, history and all. */
object Converted {
  def apply(store: ObjectStore, paths: NamespacePaths): Unit = {
    val top = new PointerLog(paths, store).current().ref.version
    val oldest = new PointerLog(paths, store).oldest().getAsLong
    val floor = if (oldest == 0) None else Some(oldest - 1)
    for (v <- oldest to top) {
      val m = ManifestJson.versioned().read(paths.body(v), store.get(paths.body(v)).get.bytes)
      val bytes = SingleObjectText.of(m, floor).getBytes("UTF-8")
      val schema = SingleObjectText.schema(m)
      store.put(paths.schema(com.namidb.format.manifest.SchemaObject.id(schema)), schema)
      store.put(if (v == top) paths.manifest else paths.archive(v), bytes)
    }
    for (v <- 0L to top; key <- Seq(paths.body(v), paths.pointer(v))) store.delete(key)
    store.delete(paths.currentHint)
  }
}
