package com.namidb.spark.catalog;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.log.CommitTimes;
import com.namidb.format.manifest.GraphSchema;
import com.namidb.format.scan.ExactCounts;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.options.OpenNamespace;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.read.TableSource;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.TableCatalog;

/** What {@code DESCRIBE} and {@code SHOW TBLPROPERTIES} tell of a version or a table of it. */
final class TableFacts {
  private static final String ROWS = "rows";

  private TableFacts() {}

  /** Of a table. */
  static Map<String, String> of(TableSource source, TableTarget target) {
    Map<String, String> out = of(source.snapshot());
    rows(source.snapshot(), source.targets(), source.reading().wal())
        .ifPresent(n -> out.put(ROWS, Long.toString(n)));
    for (GraphSchema.PropertyDef p : declared(source.snapshot(), target)) {
      out.put("declared." + p.name(), declaration(p));
    }
    return out;
  }

  /** Of a version. */
  static Map<String, String> of(Snapshot snapshot) {
    OpenNamespace opened = OpenNamespace.at(snapshot.location());
    Map<String, String> out = new LinkedHashMap<>();
    out.put("snapshot-id", Long.toUnsignedString(snapshot.version()));
    out.put("epoch", Long.toUnsignedString(snapshot.manifest().epoch()));
    CommitTimes times = new CommitTimes(opened.namespace().log());
    times.know(snapshot.ref());
    out.put(
        "committed-at",
        Instant.EPOCH
            .plus(
                times
                    .committedAtMicros(snapshot.version())
                    .orElse(snapshot.ref().createdAtMicros()),
                ChronoUnit.MICROS)
            .toString());
    out.put("writer-id", snapshot.ref().writerId());
    out.put("layout", snapshot.manifest().layout().text());
    out.put(TableCatalog.PROP_LOCATION, place(opened));
    return out;
  }

  /** Where a graph lies, without a secret. */
  static String place(OpenNamespace opened) {
    return opened.location().store() + "/" + opened.location().paths().prefix();
  }

  /** How many rows, if metadata proves it. */
  static OptionalLong rows(Snapshot snapshot, List<ScanRequest.Target> targets, WalPolicy wal) {
    long sum = 0;
    for (ScanRequest.Target target : targets) {
      ExactCounts.Counted count = count(snapshot, target, wal);
      if (!count.isExact()) {
        return OptionalLong.empty();
      }
      sum += count.rows();
    }
    return OptionalLong.of(sum);
  }

  /** What metadata tells of the number of rows, and the slices that hold the rest. */
  static ExactCounts.Counted count(Snapshot snapshot, ScanRequest.Target target, WalPolicy wal) {
    ScanRequest every =
        new ScanRequest(
            target,
            KeyRanges.ALL,
            KeyRanges.ALL,
            Set.of(),
            wal,
            new ScanRequest.Sizing(Long.MAX_VALUE, true));
    return ExactCounts.of(snapshot, every, OpenNamespace.at(snapshot.location()).store());
  }

  /** Properties the graph's schema declares for a table. */
  static List<GraphSchema.PropertyDef> declared(Snapshot snapshot, TableTarget target) {
    GraphSchema schema = snapshot.manifest().schema();
    if (target instanceof TableTarget.NodesOf nodes && nodes.label().isPresent()) {
      return schema.labels().getOrDefault(nodes.label().get(), List.of());
    }
    if (target instanceof TableTarget.EdgesOf edges && edges.type().isPresent()) {
      GraphSchema.EdgeTypeDef type = schema.edgeTypes().get(edges.type().get());
      return type == null ? List.of() : type.properties();
    }
    return List.of();
  }

  static String declaration(GraphSchema.PropertyDef p) {
    return p.dataType() + (p.dim() > 0 ? "(" + p.dim() + ")" : "");
  }
}
