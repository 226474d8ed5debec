package com.namidb.format.log;

import com.namidb.format.error.FileErrors;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.SchemaObject;
import com.namidb.format.manifest.SchemaSource;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.StoredObject;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * The schema objects of a namespace in the single-object layout: one GET for each, once; none for
 * the schema that declares nothing. An id is a hash of the content, so what was read stays right.
 */
final class StoredSchemas implements SchemaSource {
  private final NamespacePaths paths;
  private final ObjectStore store;
  private final ConcurrentMap<String, GraphSchema> read = new ConcurrentHashMap<>();

  StoredSchemas(NamespacePaths paths, ObjectStore store) {
    this.paths = paths;
    this.store = store;
    String id = SchemaObject.EMPTY_ID;
    read.put(id, SchemaObject.read(paths.schema(id), SchemaObject.empty(), id));
  }

  @Override
  public GraphSchema schema(String id) {
    GraphSchema known = read.get(id);
    if (known == null) {
      String key = paths.schema(id);
      StoredObject object =
          store.get(key).orElseThrow(() -> FileErrors.missing("Schema object", key));
      known = SchemaObject.read(key, object.bytes(), id);
      read.put(id, known);
    }
    return known;
  }
}
