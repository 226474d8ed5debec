package com.namidb.format.scan;

import com.namidb.format.error.Where;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.record.Column;
import com.namidb.format.snapshot.Snapshot;
import java.io.Serializable;
import java.util.EnumSet;
import java.util.Set;

/** What all slices of one scan have in common. Plain fields only. */
final class SliceScope implements Serializable {
  private static final long serialVersionUID = 1L;

  final SliceTarget target;
  final SliceWal wal;
  private final String namespace;
  private final long version;
  private final String[] columns;
  private final long[] keys;
  private final long[] partners;

  /**
   * Joins them.
   *
   * @param request its key conditions are turned into file order
   */
  SliceScope(Snapshot snapshot, ScanRequest request, SliceTarget target, SliceWal wal) {
    this.target = target;
    this.wal = wal;
    this.namespace = snapshot.location().paths().namespace();
    this.version = snapshot.version();
    this.columns = request.columns().stream().map(Column::name).toArray(String[]::new);
    this.keys = Ranges.pack(target.inverse ? request.partners() : request.keys());
    this.partners = Ranges.pack(target.inverse ? request.keys() : request.partners());
  }

  private SliceScope(SliceScope of, Set<Column> columns, long[] keys) {
    this.target = of.target;
    this.wal = of.wal;
    this.namespace = of.namespace;
    this.version = of.version;
    this.columns = columns.stream().map(Column::name).toArray(String[]::new);
    this.keys = keys;
    this.partners = of.partners;
  }

  /** The same scope for a consumer that asks for keys, too. */
  SliceScope withKeys() {
    Set<Column> more = columns();
    more.add(Column.KEY);
    return new SliceScope(this, more, keys);
  }

  /** The same scope for these keys only, in the order of the files. */
  SliceScope withKeys(KeyRanges only) {
    return new SliceScope(this, columns(), Ranges.pack(only));
  }

  /** Allowed keys, in the order of the files. */
  KeyRanges keys() {
    return Ranges.unpack(keys);
  }

  /** Allowed partners, in the order of the files. */
  KeyRanges partners() {
    return Ranges.unpack(partners);
  }

  /** What the consumer asked for. */
  Set<Column> columns() {
    Set<Column> out = EnumSet.noneOf(Column.class);
    for (String c : columns) {
      out.add(Column.valueOf(c));
    }
    return out;
  }

  Where where() {
    return Where.version(namespace, version);
  }
}
