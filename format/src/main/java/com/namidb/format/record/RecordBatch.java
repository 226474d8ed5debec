package com.namidb.format.record;

/**
 * A run of records in key order, as arrays. Owned by the cursor that filled it: everything is valid
 * until the cursor's next call. Only the arrays of the asked {@link Column}s hold meaning; the
 * first {@link #size} entries count. Arrays are exposed on purpose: the merge and the value decoder
 * are tight loops over them.
 */
public final class RecordBatch {
  /** Payload length of a record without properties. */
  public static final int NO_PAYLOAD = -1;

  private int size;
  private final long[] keyHi;
  private final long[] keyLo;
  private final long[] partnerHi;
  private final long[] partnerLo;
  private final long[] lsn;
  private final boolean[] tombstone;
  private boolean anyTombstone;
  private final int[] labelSet;
  private final int[] source;
  private byte[] payload = new byte[0];
  private final int[] payloadOffset;
  private final int[] payloadLength;

  /**
   * Creates it.
   *
   * @param capacity most records a batch can hold
   * @param edges whether partner ids are needed
   */
  public RecordBatch(int capacity, boolean edges) {
    keyHi = new long[capacity];
    keyLo = new long[capacity];
    partnerHi = edges ? new long[capacity] : null;
    partnerLo = edges ? new long[capacity] : null;
    lsn = new long[capacity];
    tombstone = new boolean[capacity];
    labelSet = new int[capacity];
    source = new int[capacity];
    payloadOffset = new int[capacity];
    payloadLength = new int[capacity];
  }

  private RecordBatch(RecordBatch of, boolean swap, int[] labelSet) {
    size = of.size;
    keyHi = swap ? of.partnerHi : of.keyHi;
    keyLo = swap ? of.partnerLo : of.keyLo;
    partnerHi = swap ? of.keyHi : of.partnerHi;
    partnerLo = swap ? of.keyLo : of.partnerLo;
    lsn = of.lsn;
    tombstone = of.tombstone;
    anyTombstone = of.anyTombstone;
    this.labelSet = labelSet;
    source = of.source;
    payload = of.payload;
    payloadOffset = of.payloadOffset;
    payloadLength = of.payloadLength;
  }

  /**
   * The same edges with key and partner swapped: how an inverse file's records read as (source,
   * destination). Shares every array; made anew for each batch.
   */
  public RecordBatch swapped() {
    return new RecordBatch(this, true, labelSet);
  }

  /** The same records with other label sets. Shares every other array; made anew for each batch. */
  public RecordBatch withLabelSets(int[] labelSets) {
    return new RecordBatch(this, false, labelSets);
  }

  /** Most records this batch can hold. */
  public int capacity() {
    return keyHi.length;
  }

  /** Whether the records are edges. */
  public boolean edges() {
    return partnerHi != null;
  }

  /** Number of records. */
  public int size() {
    return size;
  }

  /** Sets the number of records. */
  public void resize(int records) {
    size = records;
  }

  /** Bytes 0..7 of the keys, big-endian. */
  public long[] keyHi() {
    return keyHi;
  }

  /** Bytes 8..15 of the keys, big-endian. */
  public long[] keyLo() {
    return keyLo;
  }

  /** Bytes 0..7 of the partners; null for nodes. */
  public long[] partnerHi() {
    return partnerHi;
  }

  /** Bytes 8..15 of the partners; null for nodes. */
  public long[] partnerLo() {
    return partnerLo;
  }

  /** LSNs, unsigned. */
  public long[] lsn() {
    return lsn;
  }

  /** Which records are tombstones; meaningful only if {@link #anyTombstone}. */
  public boolean[] tombstone() {
    return tombstone;
  }

  /** Whether some record of the batch may be a tombstone. */
  public boolean anyTombstone() {
    return anyTombstone;
  }

  /** Tells whether some record may be a tombstone. */
  public void anyTombstone(boolean any) {
    anyTombstone = any;
  }

  /** Numbers in the slice's {@link LabelSets}. */
  public int[] labelSet() {
    return labelSet;
  }

  /** Rank of the source each record came from; filled by a k-way merge only. */
  public int[] source() {
    return source;
  }

  /** The buffer all payloads of this batch lie in. */
  public byte[] payload() {
    return payload;
  }

  /** Sets the buffer all payloads of this batch lie in; it is not copied. */
  public void payload(byte[] buffer) {
    payload = buffer;
  }

  /** Where each payload starts in {@link #payload}. */
  public int[] payloadOffset() {
    return payloadOffset;
  }

  /** Length of each payload in bytes, {@link #NO_PAYLOAD} for a record without properties. */
  public int[] payloadLength() {
    return payloadLength;
  }
}
