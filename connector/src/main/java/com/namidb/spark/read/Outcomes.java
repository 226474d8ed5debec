package com.namidb.spark.read;

/**
 * Which outcomes a predicate may have over some rows, in three-valued logic. What may be too much
 * is never too little.
 *
 * @param yes whether it may be true
 * @param no whether it may be false
 * @param unknown whether it may be null
 */
record Outcomes(boolean yes, boolean no, boolean unknown) {
  /** Nothing is known. */
  static final Outcomes ANY = new Outcomes(true, true, true);

  /** Null for every row, as a comparison with null is. */
  static final Outcomes UNKNOWN = new Outcomes(false, false, true);

  Outcomes and(Outcomes other) {
    return new Outcomes(yes && other.yes, no || other.no, unknown || other.unknown);
  }

  Outcomes or(Outcomes other) {
    return new Outcomes(yes || other.yes, no && other.no, unknown || other.unknown);
  }

  Outcomes not() {
    return new Outcomes(no, yes, unknown);
  }
}
