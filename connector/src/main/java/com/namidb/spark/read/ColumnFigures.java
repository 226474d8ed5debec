package com.namidb.spark.read;

import com.namidb.format.manifest.PropertyStats;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.value.ValueType;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.types.SchemaInference;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.connector.expressions.Expressions;
import org.apache.spark.sql.connector.expressions.NamedReference;
import org.apache.spark.sql.connector.read.colstats.ColumnStatistics;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;

/**
 * What the optimizer learns of columns, from descriptors alone. Estimates: superseded rows count
 * too. Figures never exceed the number of rows, and a column without figures has none.
 */
final class ColumnFigures {
  private static final long TEXT_ID = 36;
  private static final long BINARY_ID = 16;

  private final ScanShape shape;
  private final long rows;

  private ColumnFigures(ScanShape shape, long rows) {
    this.shape = shape;
    this.rows = rows;
  }

  /**
   * By column.
   *
   * @param rows estimated rows of the scan
   */
  static Map<NamedReference, ColumnStatistics> of(ScanShape shape, long rows) {
    ColumnFigures figures = new ColumnFigures(shape, rows);
    Map<NamedReference, ColumnStatistics> out = new HashMap<>();
    for (StructField f : shape.columns().fields()) {
      figures.of(f).ifPresent(s -> out.put(Expressions.column(quoted(f.name())), s));
    }
    return out;
  }

  private static String quoted(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  private Optional<ColumnStatistics> of(StructField f) {
    long width = f.dataType().equals(DataTypes.BinaryType) ? BINARY_ID : TEXT_ID;
    return switch (f.name()) {
      case GraphColumns.ID -> Optional.of(id(rows, width));
      case GraphColumns.SRC -> Optional.of(id(keys(SstKind.EDGES_FWD), width));
      case GraphColumns.DST -> Optional.of(id(keys(SstKind.EDGES_INV), width));
      default -> property(f);
    };
  }

  private Figures id(long distinct, long width) {
    return new Figures(Math.min(distinct, rows), 0, Optional.empty(), Optional.empty(), width);
  }

  /** Distinct ids of one side of the edges; as many as rows where nothing is listed. */
  private long keys(SstKind kind) {
    long sum = 0;
    for (SstDescriptor sst : shape.source().snapshot().manifest().ssts()) {
      if (sst.kind() == kind
          && shape.source().targets().contains(new ScanRequest.Edges(sst.scope()))) {
        sum += sst.counts().keys();
      }
    }
    return sum == 0 ? rows : sum;
  }

  private Optional<ColumnStatistics> property(StructField f) {
    boolean oneLabel =
        shape.source().targets().size() == 1
            && shape.source().targets().get(0) instanceof ScanRequest.Nodes n
            && n.label().isPresent();
    if (!oneLabel || !shape.pushed().keys().isAll()) {
      return Optional.empty();
    }
    ScanRequest.Nodes target = (ScanRequest.Nodes) shape.source().targets().get(0);
    TableSource source = shape.source();
    ValueType kind =
        SchemaInference.provenKinds(
                source.snapshot(), target, source.reading().wal(), source.reading().onMismatch())
            .get(f.name());
    OptionalLong label =
        source.snapshot().manifest().labels().id(target.label().orElseThrow()).stream()
            .asLongStream()
            .findFirst();
    if (kind == null || label.isEmpty() || !f.dataType().equals(Facts.typeOf(kind))) {
      return Optional.empty();
    }
    return property(f.name(), (int) label.getAsLong(), kind);
  }

  private Optional<ColumnStatistics> property(String name, int label, ValueType kind) {
    long nulls = 0;
    long most = 0;
    long sum = 0;
    boolean alike = true;
    Facts.Span span = new Facts.Span(kind);
    for (SstDescriptor sst : shape.source().snapshot().manifest().ssts()) {
      if (sst.kind() != SstKind.NODES || sst.isDeleteFile()) {
        continue;
      }
      Optional<Map<Integer, Long>> counts = sst.labelCounts();
      long labelled = counts.map(c -> c.getOrDefault(label, 0L)).orElse(-1L);
      if (labelled == 0) {
        continue;
      }
      Optional<PropertyStats> stats =
          sst.properties().stream()
              .filter(s -> s.label() == label && s.property().equals(name))
              .findFirst();
      if (labelled < 0 || stats.isEmpty() || stats.get().distinct().isEmpty()) {
        return Optional.empty();
      }
      long distinct = stats.get().distinct().getAsLong();
      nulls += Math.max(0, Math.min(stats.get().nulls(), labelled));
      most = Math.max(most, distinct);
      sum += distinct;
      alike &= distinct < (labelled - stats.get().nulls()) / 10 * 9;
      span.add(stats.get());
    }
    long values = Math.max(0, rows - Math.min(nulls, rows));
    // Values that are nearly all different inside SSTs differ between them, too.
    long distinct = Math.min(alike ? most : sum, values);
    return Optional.of(
        new Figures(distinct, Math.min(nulls, rows), span.min(), span.max(), width(name)));
  }

  private long width(String name) {
    return shape.columns().apply(name).dataType().defaultSize();
  }

  /** Figures of one column. */
  private record Figures(
      long distinct, long nulls, Optional<Object> least, Optional<Object> greatest, long width)
      implements ColumnStatistics {
    @Override
    public OptionalLong distinctCount() {
      return OptionalLong.of(distinct);
    }

    @Override
    public OptionalLong nullCount() {
      return OptionalLong.of(nulls);
    }

    @Override
    public Optional<Object> min() {
      return least;
    }

    @Override
    public Optional<Object> max() {
      return greatest;
    }

    @Override
    public OptionalLong avgLen() {
      return OptionalLong.of(width);
    }

    @Override
    public OptionalLong maxLen() {
      return OptionalLong.of(width);
    }
  }
}
