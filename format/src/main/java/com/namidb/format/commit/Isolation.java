package com.namidb.format.commit;

/** Which changes between reading and committing are conflicts. Source: protocol §6. */
public enum Isolation {
  /** Any change of rows of the labels or types that the job read or wrote. */
  SERIALIZABLE,
  /** Only another winner of a key that the job writes. */
  SNAPSHOT
}
