package com.namidb.format.validate;

import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.NamespacePaths;
import com.namidb.format.manifest.NewSst;
import com.namidb.format.record.Column;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.Selection;
import com.namidb.format.scan.ScanSlice;
import com.namidb.format.scan.SliceReader;
import com.namidb.format.stage.CandidateKeys;
import com.namidb.format.store.ObjectStore;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;

/**
 * Finds every staged live edge of one pair of candidates that has an end which is no live node of a
 * version. Holds the distinct ends of the pair in memory, 16 bytes each, never the edges.
 */
public final class DanglingEdges implements Serializable {
  private static final long serialVersionUID = 1L;

  private final NamespacePaths paths;
  private final NewSst forward;
  private final NewSst inverse;
  private final ArrayList<ScanSlice> sources;
  private final ArrayList<ScanSlice> destinations;

  /**
   * Prepares a piece.
   *
   * @param sources nodes of the version that may be sources
   * @param destinations nodes of the version that may be destinations
   */
  DanglingEdges(
      NamespacePaths paths,
      NewSst forward,
      NewSst inverse,
      List<ScanSlice> sources,
      List<ScanSlice> destinations) {
    this.paths = paths;
    this.forward = forward;
    this.inverse = inverse;
    this.sources = new ArrayList<>(sources);
    this.destinations = new ArrayList<>(destinations);
  }

  /**
   * Looks for the ends, then goes through the edges.
   *
   * @param store of the namespace; stays owned by the caller
   */
  public Cursor open(ObjectStore store) {
    StagedKeys src = StagedKeys.load(store, paths, forward, false);
    StagedKeys dst = StagedKeys.load(store, paths, inverse, false);
    BitSet liveSrc = live(store, src, sources);
    BitSet liveDst = live(store, dst, destinations);
    return new Cursor(
        new Ends(src, liveSrc),
        new Ends(dst, liveDst),
        CandidateKeys.open(
            store, paths, forward, KeyRanges.ALL, EnumSet.of(Column.KEY, Column.TOMBSTONE)));
  }

  private static BitSet live(ObjectStore store, StagedKeys keys, List<ScanSlice> slices) {
    BitSet out = new BitSet(keys.size());
    for (ScanSlice slice : slices) {
      try (SliceReader rows = SliceReader.open(slice, store)) {
        while (rows.next()) {
          RecordBatch b = rows.batch();
          Selection live = rows.selection();
          for (int i = 0; i < live.size(); i++) {
            int at = keys.find(b.keyHi()[live.row(i)], b.keyLo()[live.row(i)], 0, 0);
            if (at >= 0) {
              out.set(at);
            }
          }
        }
      }
    }
    return out;
  }

  private record Ends(StagedKeys keys, BitSet live) {
    boolean has(long hi, long lo) {
      return live.get(keys.find(hi, lo, 0, 0));
    }
  }

  /** The edges with a missing end, ascending by source, then destination. */
  public static final class Cursor implements AutoCloseable {
    private final Ends src;
    private final Ends dst;
    private final CandidateKeys rows;
    private int row = -1;
    private int size;
    private boolean noSource;
    private boolean noDestination;

    private Cursor(Ends src, Ends dst, CandidateKeys rows) {
      this.src = src;
      this.dst = dst;
      this.rows = rows;
    }

    /** Goes to the next one; false at the end. */
    public boolean next() {
      while (true) {
        if (++row >= size) {
          if (!rows.next()) {
            return false;
          }
          row = -1;
          size = rows.batch().size();
          continue;
        }
        RecordBatch b = rows.batch();
        if (b.anyTombstone() && b.tombstone()[row]) {
          continue;
        }
        noSource = !src.has(b.keyHi()[row], b.keyLo()[row]);
        noDestination = !dst.has(b.partnerHi()[row], b.partnerLo()[row]);
        if (noSource || noDestination) {
          return true;
        }
      }
    }

    /** The source of the current edge. */
    public NodeId src() {
      return new NodeId(rows.batch().keyHi()[row], rows.batch().keyLo()[row]);
    }

    /** The destination of the current edge. */
    public NodeId dst() {
      return new NodeId(rows.batch().partnerHi()[row], rows.batch().partnerLo()[row]);
    }

    /** Whether its source is missing. */
    public boolean noSource() {
      return noSource;
    }

    /** Whether its destination is missing. */
    public boolean noDestination() {
      return noDestination;
    }

    @Override
    public void close() {
      rows.close();
    }
  }
}
