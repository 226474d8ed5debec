package com.namidb.format.stage;

/** How far a job is. Source: protocol §2. */
public enum JobPhase {
  /** Writes may add parts. */
  OPEN,
  /** The parts are listed and frozen. */
  SEALED,
  /** An attempt to publish was begun; only reading the history tells what became of it. */
  PUBLISHING,
  /** Published for good. */
  PUBLISHED,
  /** Given up; its files may be deleted. */
  DISCARDED
}
