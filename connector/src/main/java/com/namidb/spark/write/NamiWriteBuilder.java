package com.namidb.spark.write;

import com.namidb.format.error.NamespaceNotFoundException;
import com.namidb.format.error.WriteErrors;
import com.namidb.format.manifest.KeyEncoding;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.SnapshotSelector;
import com.namidb.spark.options.JobName;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.SessionConf;
import com.namidb.spark.options.WriteMode;
import com.namidb.spark.options.WriteOptions;
import com.namidb.spark.write.publish.NamedJobs;
import com.namidb.spark.write.quarantine.QuarantineSchema;
import com.namidb.spark.write.row.RowShape;
import com.namidb.spark.write.row.ShapeBuilder;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.spark.sql.connector.expressions.filter.AlwaysTrue;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.SupportsOverwriteV2;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.StructType;

/**
 * Plans a write: options, base version and columns are looked at before any task runs. The base is
 * the newest version at this moment; what others change between it and the commit is dealt with as
 * the isolation says. Contract §6, protocol §3.
 */
public final class NamiWriteBuilder implements WriteBuilder, SupportsOverwriteV2 {
  private final LogicalWriteInfo info;
  private WriteOptions options;

  /** Keeps what Spark says; options are read when the save mode is known. */
  public NamiWriteBuilder(LogicalWriteInfo info) {
    this.info = info;
  }

  private WriteOptions read(boolean overwrite) {
    return WriteOptions.of(info.options().asCaseSensitiveMap(), SessionConf.lookup(), overwrite);
  }

  @Override
  public WriteBuilder truncate() {
    options = read(true);
    return this;
  }

  /** Spark calls this for an overwrite with a condition, which is refused. */
  @Override
  public WriteBuilder overwrite(Predicate[] predicates) {
    if (Arrays.stream(predicates).allMatch(p -> p instanceof AlwaysTrue)) {
      return truncate();
    }
    throw WriteErrors.overwriteByFilter(
        Arrays.stream(predicates).map(Predicate::toString).collect(Collectors.joining(" AND ")));
  }

  @Override
  public Write build() {
    if (options == null) {
      options = read(false);
    }
    WritesUnderPin.check(options);
    if (options.job() instanceof JobName.Job name && NamedJobs.isRerun(options, name)) {
      return new RerunWrite(options, name);
    }
    if (options.job() instanceof JobName.Stage stage) {
      NamedJobs.checkOpen(options, stage);
    }
    boolean sensitive = SQLConf.get().caseSensitiveAnalysis();
    WrittenColumns columns = WrittenColumns.of(options, info.schema(), sensitive);
    StructType schema = columns.schema();
    options = columns.options();
    Optional<Snapshot> base = base();
    RowShape shape = ShapeBuilder.of(options, schema, base.map(Snapshot::manifest));
    if (shape.deletes()) {
      base.ifPresent(version -> KnownNames.check(options.target(), version));
    }
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
    EngineNames.warn(options.target().toString(), shape.properties());
    return new NamiWrite(options, schema, shape, base);
  }

  private Optional<Snapshot> base() {
    try {
      return Optional.of(
          OpenNamespace.at(options.location()).namespace().snapshot(new SnapshotSelector.Latest()));
    } catch (NamespaceNotFoundException e) {
      if (options.mode() == WriteMode.DELETE || options.mode() == WriteMode.PATCH) {
        throw e;
      }
      return Optional.empty();
    }
  }
}
