package com.namidb.format.edge;

import java.io.Serializable;
import java.util.List;
import java.util.UUID;

/**
 * What a reader must know of an edge SST beforehand.
 *
 * @param object key of the {@code .csr} body
 * @param sizeBytes exact object size, so that no HEAD is needed
 * @param rows rows the descriptor promises
 * @param id SST id, compared with the binding inside
 * @param declared names of the properties declared for the type, each possibly in a stream of its
 *     own
 */
public record EdgeSstFile(String object, long sizeBytes, long rows, UUID id, List<String> declared)
    implements Serializable {}
