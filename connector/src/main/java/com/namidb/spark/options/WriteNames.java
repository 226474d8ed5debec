package com.namidb.spark.options;

import java.util.ArrayList;
import java.util.List;

/** Names of the options of a write. Contract §6. */
final class WriteNames {
  static final String MODE = "write-mode";
  static final String KEY = "key";
  static final String SRC_KEY = "src-key";
  static final String DST_KEY = "dst-key";
  static final String SRC_LABEL = "src-label";
  static final String DST_LABEL = "dst-label";
  static final String ON_INVALID = "on-invalid";
  static final String ON_DANGLING = "on-dangling";
  static final String ON_INCIDENT = "on-incident-edges";
  static final String MULTI_LABEL = "overwrite-multi-label";
  static final String SEARCH = "search-indexes";
  static final String EXPECTED_ROWS = "expected-rows";
  static final String EXPECTED_CHECKSUM = "expected-key-checksum";
  static final String ON_NULL = "on-null";
  static final String DECIMALS = "decimals";
  static final String NTZ = "timestamp-ntz";
  static final String VECTORS = "vector-columns";

  /** Not a name: a value of two of them. */
  static final String QUARANTINE = "quarantine";

  /** What only writes have. */
  static final List<String> OWN =
      List.of(
          MODE,
          KEY,
          SRC_KEY,
          DST_KEY,
          SRC_LABEL,
          DST_LABEL,
          ON_INVALID,
          ON_DANGLING,
          ON_INCIDENT,
          MULTI_LABEL,
          SEARCH,
          EXPECTED_ROWS,
          EXPECTED_CHECKSUM,
          ON_NULL,
          DECIMALS,
          NTZ,
          VECTORS,
          JobName.JOB_ID,
          JobName.STAGE,
          "isolation",
          "commit-retries",
          "file-size");

  /** What errors list; keys of stores are too many. */
  static final List<String> LISTED = listed();

  /** Every name a write may give. */
  static final List<String> KNOWN = all();

  private WriteNames() {}

  private static List<String> listed() {
    List<String> out =
        new ArrayList<>(
            List.of(
                ReadOptions.URI,
                ReadOptions.PATH,
                ReadOptions.NAMESPACE,
                ReadOptions.ROOT,
                ReadOptions.LAYOUT,
                ReadOptions.LABEL,
                ReadOptions.TYPE));
    out.addAll(OWN);
    return out;
  }

  private static List<String> all() {
    List<String> out = new ArrayList<>(LISTED);
    out.addAll(ReadOptions.STORE);
    return out;
  }
}
