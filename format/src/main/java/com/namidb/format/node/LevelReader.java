package com.namidb.format.node;

import java.util.function.Consumer;

/** Levels of a nested column across its pages, with a look at the next entry. */
final class LevelReader {
  final HybridDecoder repetition = new HybridDecoder();
  final HybridDecoder definition = new HybridDecoder();
  final int maxRepetition;
  final int maxDefinition;
  private final PageStream pages;
  private final Consumer<Page> values;
  private int left;

  /**
   * Starts before the first page.
   *
   * @param values told of every page before its first entry
   */
  LevelReader(PageStream pages, Consumer<Page> values) {
    this.pages = pages;
    this.values = values;
    maxRepetition = pages.chunk().column().getMaxRepetitionLevel();
    maxDefinition = pages.chunk().column().getMaxDefinitionLevel();
  }

  /** Makes an entry available; false at the end of the chunk. */
  boolean load() {
    while (left == 0) {
      Page page = pages.next();
      if (page == null) {
        return false;
      }
      left = page.values();
      Page.Slice r = page.repetition();
      repetition.init(r.bytes, r.from, r.to, width(maxRepetition));
      Page.Slice d = page.definition();
      definition.init(d.bytes, d.from, d.to, width(maxDefinition));
      values.accept(page);
    }
    return true;
  }

  private static int width(int max) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(max);
  }

  /** Entries left in the current page. */
  int left() {
    return left;
  }

  /** Whether the next entry starts a row; there must be one. */
  boolean startsRow() {
    return maxRepetition == 0 || repetition.peek() == 0;
  }

  /** Whether there is a next entry and it belongs to the current row. */
  boolean continuesRow() {
    return maxRepetition > 0 && load() && !startsRow();
  }

  /** Consumes the next entry; its definition level. */
  int take() {
    if (maxRepetition > 0) {
      repetition.skip(1);
    }
    left--;
    if (maxDefinition == 0) {
      return 0;
    }
    int d = definition.read();
    if (d > maxDefinition) {
      throw new DamageException(pages.column() + " has a definition level of " + d);
    }
    return d;
  }

  /** Consumes entries of one run in both kinds of levels. */
  void skip(int n) {
    repetition.skip(n);
    definition.skip(n);
    left -= n;
  }
}
