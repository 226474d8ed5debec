package com.namidb.format.scan;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.namidb.format.error.NamiException;
import com.namidb.format.id.Hex;
import com.namidb.format.id.KeyRanges;
import com.namidb.format.id.Lsn;
import com.namidb.format.id.NodeId;
import com.namidb.format.manifest.SstDescriptor;
import com.namidb.format.manifest.SstKind;
import com.namidb.format.node.BloomFilter;
import com.namidb.format.record.Column;
import com.namidb.format.record.LabelSets;
import com.namidb.format.record.RecordBatch;
import com.namidb.format.record.RecordCursor;
import com.namidb.format.snapshot.Snapshot;
import com.namidb.format.store.ByteRange;
import com.namidb.format.store.ObjectStore;
import com.namidb.format.store.Xxh3;
import com.namidb.format.value.InvalidJsonException;
import com.namidb.format.value.PropertyObserver;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads one SST from its first to its last row, with every checksum it has, and compares it with
 * its descriptor. Holds one batch and the id filter. Source: manifest §2.5, §7, §8.
 */
public final class SstAudit implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int WINDOW = 4 << 20;
  private static final int CHUNK = 8 << 20;

  private final SliceFile file;
  private final boolean edges;
  private final long keys;
  private final int labels;
  private final String bloom;
  private final long bloomBytes;
  private final long bloomHash;
  private final boolean hashed;
  private final long hash;

  /**
   * What is wrong with an object.
   *
   * @param object its key
   * @param what in words
   * @param count how many rows, 1 for the object as a whole
   */
  public record Problem(String object, String what, long count) implements Serializable {}

  private SstAudit(Snapshot snapshot, int position, OptionalLong xxh3) {
    SstDescriptor sst = snapshot.manifest().ssts().get(position);
    EffectiveLabels names = EffectiveLabels.of(snapshot.manifest());
    file = MemberSelection.file(snapshot.location().paths(), snapshot.manifest(), names, position);
    edges = sst.kind() != SstKind.NODES;
    keys = sst.counts().keys();
    labels = names.names().size();
    bloom = sst.bloom().map(b -> snapshot.location().paths().bloom(sst, b)).orElse(null);
    bloomBytes = sst.bloom().map(SstDescriptor.Bloom::sizeBytes).orElse(0L);
    bloomHash = sst.bloom().map(SstDescriptor.Bloom::xxh3).orElse(0L);
    hashed = xxh3.isPresent();
    hash = xxh3.orElse(0);
  }

  /**
   * Prepares one; makes no request.
   *
   * @param position of an SST of nodes or edges in the manifest
   * @param xxh3 hash its writer took of the whole object, if that is known
   */
  public static SstAudit of(Snapshot snapshot, int position, OptionalLong xxh3) {
    return new SstAudit(snapshot, position, xxh3);
  }

  /** Reads everything; what cannot be read is a problem too. */
  public List<Problem> run(ObjectStore store) {
    List<Problem> out = new ArrayList<>();
    try {
      if (hashed) {
        hash(store, out);
      }
      BloomFilter filter = null;
      if (bloom != null) {
        try {
          filter = BloomFilter.read(store, bloom, bloomBytes, bloomHash);
        } catch (NamiException e) {
          out.add(new Problem(bloom, e.getMessage(), 1));
        }
      }
      Rows rows = new Rows(filter);
      LabelSets sets = new LabelSets();
      try (RecordCursor in =
          new StoredSsts(store, edges)
              .scan(file, EnumSet.allOf(Column.class), KeyRanges.ALL, sets, WINDOW)) {
        while (in.next()) {
          rows.look(in.batch(), sets);
        }
      }
      rows.tell(out);
    } catch (NamiException e) {
      out.add(new Problem(e.object().orElse(file.object), e.getMessage(), 1));
    }
    return out;
  }

  private void hash(ObjectStore store, List<Problem> out) {
    HashStream64 stream = Xxh3.stream();
    for (long at = 0; at < file.sizeBytes; at += CHUNK) {
      int length = (int) Math.min(CHUNK, file.sizeBytes - at);
      byte[] bytes = store.getRange(file.object, new ByteRange(at, length)).orElse(null);
      if (bytes == null || bytes.length != length) {
        // Opening it will say so.
        return;
      }
      stream.putBytes(bytes);
    }
    if (stream.getAsLong() != hash) {
      String text =
          "its xxh3 is "
              + Hex.h16(stream.getAsLong())
              + ", the receipt of the commit that added it says "
              + Hex.h16(hash);
      out.add(new Problem(file.object, text, 1));
    }
  }

  /** What the rows amount to. */
  private final class Rows {
    private final BloomFilter filter;
    private final PropertyObserver properties = new PropertyObserver();
    private long rows;
    private long dead;
    private long distinct;
    private long disordered;
    private long outside;
    private long lsns;
    private long unfiltered;
    private long unlabelled;
    private long broken;
    private long hi;
    private long lo;
    private long hi2;
    private long lo2;
    private NodeId first;

    Rows(BloomFilter filter) {
      this.filter = filter;
    }

    void look(RecordBatch b, LabelSets sets) {
      for (int i = 0; i < b.size(); i++) {
        key(b, i);
        lsns += Lsn.newer(file.minLsn, b.lsn()[i]) || Lsn.newer(b.lsn()[i], file.maxLsn) ? 1 : 0;
        if (b.anyTombstone() && b.tombstone()[i]) {
          dead++;
          continue;
        }
        if (!edges) {
          for (int id : sets.ids(b.labelSet()[i])) {
            unlabelled += id < labels ? 0 : 1;
          }
        }
        int length = b.payloadLength()[i];
        if (length != RecordBatch.NO_PAYLOAD) {
          try {
            properties.observe(b.payload(), b.payloadOffset()[i], length);
          } catch (InvalidJsonException e) {
            broken++;
          }
        }
      }
    }

    private void key(RecordBatch b, int i) {
      long h = b.keyHi()[i];
      long l = b.keyLo()[i];
      long h2 = edges ? b.partnerHi()[i] : 0;
      long l2 = edges ? b.partnerLo()[i] : 0;
      int order = rows == 0 ? 1 : NodeId.compare(h, l, hi, lo);
      if (order != 0) {
        distinct++;
        outside += file.keys().contains(h, l) ? 0 : 1;
        unfiltered += filter != null && !filter.mayContain(new NodeId(h, l)) ? 1 : 0;
      }
      disordered += order < 0 || (order == 0 && NodeId.compare(h2, l2, hi2, lo2) <= 0) ? 1 : 0;
      if (rows == 0) {
        first = new NodeId(h, l);
      }
      rows++;
      hi = h;
      lo = l;
      hi2 = h2;
      lo2 = l2;
    }

    void tell(List<Problem> out) {
      differs(out, "rows", rows, file.rows);
      differs(out, "tombstones", dead, file.tombstones);
      differs(out, "distinct keys", distinct, keys);
      if (first != null && !first.equals(file.keys().min())) {
        String text = "its first key is " + first + ", the manifest says " + file.keys().min();
        out.add(new Problem(file.object, text, 1));
      }
      wrong(out, "rows not in ascending order", disordered);
      wrong(out, "keys outside the listed range", outside);
      wrong(out, "LSNs outside the listed range", lsns);
      wrong(out, "keys its id filter does not know: point reads miss them", unfiltered);
      wrong(out, "label ids without a name", unlabelled);
      wrong(out, "property objects that are not valid JSON", broken);
    }

    private void differs(List<Problem> out, String what, long found, long listed) {
      if (found != listed) {
        String text = "it has " + found + " " + what + ", the manifest says " + listed;
        out.add(new Problem(file.object, text, Math.abs(found - listed)));
      }
    }

    private void wrong(List<Problem> out, String what, long count) {
      if (count > 0) {
        out.add(new Problem(file.object, what, count));
      }
    }
  }
}
