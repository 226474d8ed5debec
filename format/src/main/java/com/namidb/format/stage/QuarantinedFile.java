package com.namidb.format.stage;

import java.io.Serializable;

/**
 * A Parquet file of rows that were set aside.
 *
 * @param path relative to the namespace
 * @param sizeBytes its size
 * @param rows how many rows it holds
 */
public record QuarantinedFile(String path, long sizeBytes, long rows) implements Serializable {}
