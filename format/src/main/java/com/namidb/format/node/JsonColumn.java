package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;
import java.util.Arrays;

/** {@code __overflow_json}: slices of the decompressed page, not copied. */
final class JsonColumn implements PayloadColumn {
  private final PageStream pages;
  private final ByteArrayValues values;
  private final HybridDecoder definition = new HybridDecoder();
  private final boolean nullable;
  private final int[] levels = new int[NodeCursor.BATCH];
  private int left;

  JsonColumn(PageStream pages) {
    this.pages = pages;
    values = new ByteArrayValues(pages, 0);
    nullable = pages.chunk().column().getMaxDefinitionLevel() > 0;
  }

  @Override
  public int available() {
    while (left == 0) {
      Page page = pages.next();
      if (page == null) {
        throw new DamageException(pages.column() + " ends before its row group does");
      }
      left = page.values();
      if (nullable) {
        Page.Slice d = page.definition();
        definition.init(d.bytes, d.from, d.to, 1);
      }
      values.init(page);
    }
    return left;
  }

  @Override
  public void fill(RecordBatch batch, int n) {
    boolean uniform = !nullable || (definition.run() >= n && definition.constant());
    if (uniform) {
      run(batch, 0, n, !nullable || definition.peek() == 1);
      if (nullable) {
        definition.skip(n);
      }
    } else {
      definition.read(levels, 0, n);
      int i = 0;
      while (i < n) {
        int k = i + 1;
        while (k < n && levels[k] == levels[i]) {
          k++;
        }
        run(batch, i, k - i, levels[i] == 1);
        i = k;
      }
    }
    left -= n;
    batch.payload(values.base());
  }

  private void run(RecordBatch batch, int from, int n, boolean present) {
    if (present) {
      values.read(batch.payloadOffset(), batch.payloadLength(), from, n);
    } else {
      Arrays.fill(batch.payloadOffset(), from, from + n, 0);
      Arrays.fill(batch.payloadLength(), from, from + n, RecordBatch.NO_PAYLOAD);
    }
  }
}
