package com.namidb.format.scan;

import java.io.Serializable;

/** The serialisable unit of reading: one Spark partition. Holds no manifest and no client. */
public final class ScanSlice implements Serializable {
  private static final long serialVersionUID = 1L;

  private ScanSlice() {}
}
