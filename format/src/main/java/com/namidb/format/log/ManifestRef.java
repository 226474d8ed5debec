package com.namidb.format.log;

import java.io.Serializable;

/**
 * Names one committed version for good: a forced restore may reuse the number, so the writer is
 * part of it. Source: manifest §3.2.
 *
 * @param version manifest version, unsigned
 * @param epoch writer epoch, unsigned
 * @param writerId id of the session that committed it
 * @param createdAtMicros its commit time, microseconds since 1970 UTC
 */
public record ManifestRef(long version, long epoch, String writerId, long createdAtMicros)
    implements Serializable {}
