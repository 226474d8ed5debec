package com.namidb.format.validate;

/** What is asked about staged keys. */
enum Question {
  /** No staged key is live on the base. */
  NEW,
  /** Every staged id that is live on the base is so under the label asked for. */
  LABELLED,
  /** Every staged first id is a live node on the base. */
  ENDS_EXIST,
  /** No live edge of the base starts at a staged node. */
  NO_EDGE_FROM,
  /** No live edge of the base ends at a staged node. */
  NO_EDGE_TO,
  /** Every staged key has the same winner on both versions. */
  SAME_WINNER
}
