package com.namidb.format.stage;

import com.namidb.format.manifest.LabelDictionary;
import java.io.Serializable;

/**
 * What all writes of a job share.
 *
 * @param baseVersion version the job was planned on, unsigned
 * @param lsn LSN of every row, below 2^62
 * @param labels label ids of the rows: the base's names, then new ones
 */
public record JobPlan(long baseVersion, long lsn, LabelDictionary labels) implements Serializable {}
