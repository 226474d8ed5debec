package com.namidb.spark.rowlevel;

import com.namidb.format.error.WriteErrors;
import com.namidb.format.scan.ScanRequest;
import com.namidb.format.snapshot.WalPolicy;
import com.namidb.spark.lease.NotebookPins;
import com.namidb.spark.options.TableTarget;
import com.namidb.spark.read.KeyFilter;
import com.namidb.spark.read.TableSource;
import com.namidb.spark.types.GraphColumns;
import com.namidb.spark.write.delta.Statement;
import com.namidb.spark.write.delta.TableRemoval;
import java.util.Arrays;
import java.util.Optional;
import org.apache.spark.sql.connector.expressions.filter.Predicate;
import org.apache.spark.sql.connector.write.RowLevelOperation;

/**
 * A table whose rows statements change. Each reads the version the table is pinned to and commits
 * on top of it.
 */
public final class ChangedTable {
  private final TableSource source;
  private final Optional<String> past;

  /**
   * Wraps it.
   *
   * @param past why the table does not show the present, if so: then nothing is changed
   */
  public ChangedTable(TableSource source, Optional<String> past) {
    this.source = source;
    this.past = past;
  }

  /**
   * A statement that reads rows and changes them.
   *
   * @throws com.namidb.format.error.InvalidOptionException if it may not
   */
  public RowLevelOperation operation(RowLevelOperation.Command command) {
    return new NamiRowLevelOperation(source, command, statement(command));
  }

  /** Whether rows can be deleted without a query: those of some ids, or all. */
  public boolean canDelete(Predicate[] predicates) {
    return filter(predicates).isPresent();
  }

  /**
   * Deletes them.
   *
   * @throws com.namidb.format.error.NamiException if it may not, or cannot
   */
  public void delete(Predicate[] predicates) {
    KeyFilter filter =
        filter(predicates)
            .orElseThrow(() -> new IllegalStateException("a filter that was not agreed upon"));
    TableRemoval.run(statement(RowLevelOperation.Command.DELETE), source.schema(), filter);
  }

  private Optional<KeyFilter> filter(Predicate[] predicates) {
    return KeyFilter.of(source.schema(), source.edges(), predicates);
  }

  private Statement statement(RowLevelOperation.Command command) {
    NotebookPins.refuseChange(source.snapshot().location(), command.name());
    if (past.isPresent()) {
      throw WriteErrors.notPresent(source.name(), past.get());
    }
    if (source.reading().wal() == WalPolicy.IGNORE) {
      throw WriteErrors.notPresent(source.name(), "it is read with wal=ignore, without newer rows");
    }
    return new Statement(
        command.name(), source.snapshot(), target(), source.reading().onMismatch());
  }

  private TableTarget target() {
    boolean typed = Arrays.asList(source.schema().fieldNames()).contains(GraphColumns.TYPE);
    if (source.edges() && (typed || source.targets().size() != 1)) {
      throw WriteErrors.unsupported(
          "Changing edges of several types by one statement", "Name one: ….edges.TYPE.");
    }
    ScanRequest.Target only = source.targets().get(0);
    return only instanceof ScanRequest.Edges edges
        ? new TableTarget.EdgesOf(Optional.of(edges.type()))
        : new TableTarget.NodesOf(((ScanRequest.Nodes) only).label());
  }
}
