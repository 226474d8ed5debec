package com.namidb.spark.write;

import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.manifest.KeyEncoding;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import java.util.Optional;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsTruncate;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/**
 * Plans a write: options, base version and columns are looked at before any task runs. The base is
 * the newest version at this moment; what others change between it and the commit is dealt with as
 * the isolation says. Contract §6, protocol §3.
 */
public final class NamiWriteBuilder implements WriteBuilder, SupportsTruncate {
  private final WriteOptions options;
  private final StructType schema;

  /**
   * Reads the options.
   *
   * @throws com.namidb.format.error.InvalidOptionException if they do not make a write
   */
  public NamiWriteBuilder(LogicalWriteInfo info) {
    SQLConf conf = SQLConf.get();
    options =
        WriteOptions.of(info.options().asCaseSensitiveMap(), key -> conf.getConfString(key, null));
    schema = info.schema();
  }

  @Override
  public WriteBuilder truncate() {
    throw WriteErrors.unsupported(
        "mode(\"overwrite\")",
        "Use mode(\"append\") with write-mode=upsert to replace records, or delete them first with"
            + " write-mode=delete.");
  }

  @Override
  public Write build() {
    Optional<Snapshot> base = base();
    RowShape shape = ShapeBuilder.of(options, schema, base.map(Snapshot::manifest));
    if (options.quarantine().on()) {
      QuarantineSchema.check(schema);
    }
    if (shape.edges() && !shape.deletes()) {
      String type = shape.scope().replace("/", "");
      if (!KeyEncoding.encode(type).equals(type)) {
        throw WriteErrors.badWrite(
            "Edges of type '"
                + shape.scope()
                + "' cannot be written: object keys encode a"
                + " character of its name, and the engine's janitor deletes live files of such types",
            "Use an edge type of ASCII letters, digits and characters that need no encoding.");
      }
    }
    return new NamiWrite(options, schema, shape, base);
  }

  private Optional<Snapshot> base() {
    try {
      return Optional.of(
          OpenNamespace.at(options.location()).namespace().snapshot(new SnapshotSelector.Latest()));
    } catch (NamespaceNotFoundException e) {
      if (options.mode() == WriteMode.DELETE) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
