package com.namidb.spark.procedure;

import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.lease.PinnedVersion;
import com.namidb.spark.metadata.PinsTable;
import com.namidb.spark.options.OpenNamespace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** {@code pins}: the leases of a graph, and which of them is this session's pin. Contract §7. */
final class Pins extends NamiProcedure {
  private static final StructType COLUMNS =
      PinsTable.SCHEMA.add("this_session", DataTypes.BooleanType, false);

  private final Function<String, OpenNamespace> open;

  Pins(Function<String, OpenNamespace> open) {
    super("pins", "Lists the leases of a graph", namespace());
    this.open = open;
  }

  @Override
  Result run(Arguments arguments) {
    OpenNamespace opened = open.apply(arguments.text(NAMESPACE));
    Optional<PinnedVersion> mine = NotebookPins.told(SparkSession.active(), opened.location());
    List<InternalRow> out = new ArrayList<>();
    for (InternalRow row : PinsTable.rows(opened.namespace())) {
      String lease = row.getUTF8String(0).toString();
      boolean own = mine.isPresent() && mine.get().leaseId().equals(lease);
      List<Object> cells = new ArrayList<>();
      for (int i = 0; i < PinsTable.SCHEMA.size(); i++) {
        cells.add(row.get(i, PinsTable.SCHEMA.apply(i).dataType()));
      }
      cells.add(own);
      out.add(new GenericInternalRow(cells.toArray()));
    }
    return new Result(COLUMNS, out);
  }
}
