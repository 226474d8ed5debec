package com.namidb.format.node;

import com.namidb.format.record.RecordBatch;

/** A column with one value per row that must not be null. */
abstract class FlatColumn implements ColumnDecoder {
  final PageStream pages;
  private final HybridDecoder definition = new HybridDecoder();
  private int left;

  FlatColumn(PageStream pages) {
    this.pages = pages;
  }

  /** Starts on a page. */
  abstract void init(Page page);

  /** Decodes the next {@code n} values of the current page. */
  abstract void decode(RecordBatch batch, int from, int n);

  @Override
  public final void fill(RecordBatch batch, int n) {
    int done = 0;
    while (done < n) {
      if (left == 0) {
        load();
      }
      int k = Math.min(left, n - done);
      decode(batch, done, k);
      left -= k;
      done += k;
    }
  }

  private void load() {
    Page page = pages.next();
    if (page == null) {
      throw new DamageException(pages.column() + " ends before its row group does");
    }
    left = page.values();
    int max = pages.chunk().column().getMaxDefinitionLevel();
    if (max > 0 && left > 0) {
      definition.init(page.definition().bytes, page.definition().from, page.definition().to, 1);
      for (int i = 0; i < left; ) {
        if (definition.peek() != max) {
          throw new DamageException(pages.column() + " holds a null");
        }
        int k = definition.constant() ? Math.min(definition.run(), left - i) : 1;
        definition.skip(k);
        i += k;
      }
    }
    init(page);
  }
}
