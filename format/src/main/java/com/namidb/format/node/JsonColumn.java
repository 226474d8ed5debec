package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;
import java.util.Arrays;

/** {@code __overflow_json}: slices of the decompressed page, not copied. */
final class JsonColumn implements PayloadColumn {
  private final PageStream pages;
  private final ByteArrayValues values;
  private final HybridDecoder definition = new HybridDecoder();
  private final boolean nullable;
  private final int[] levels;
  private int left;
  private StreamedText streamed;

  JsonColumn(PageStream pages) {
    this.pages = pages;
    levels = new int[pages.batch()];
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
      streamed = page.streamed();
      if (streamed == null) {
        values.init(page);
      }
    }
    if (streamed == null) {
      return left;
    }
    // Rows are at least as many as the values among them; without values the rest are nulls.
    int whole = streamed.available();
    return whole == 0 ? left : Math.min(left, whole);
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
    batch.payload(streamed == null ? values.base() : streamed.base());
  }

  private void run(RecordBatch batch, int from, int n, boolean present) {
    if (present && streamed != null) {
      streamed.read(batch.payloadOffset(), batch.payloadLength(), from, n);
    } else if (present) {
      values.read(batch.payloadOffset(), batch.payloadLength(), from, n);
    } else {
      Arrays.fill(batch.payloadOffset(), from, from + n, 0);
      Arrays.fill(batch.payloadLength(), from, from + n, RecordBatch.NO_PAYLOAD);
    }
  }
}
