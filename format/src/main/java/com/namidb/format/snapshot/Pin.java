package com.namidb.format.snapshot;

import java.io.Serializable;

/**
 * A lease as it stands in the store: while it lasts, its version and all later ones stay readable.
 * Source: manifest §6.5.
 *
 * @param id name of the lease, usually a UUID
 * @param version oldest version it keeps, unsigned
 * @param expiresAtUnix when it ends by the store's clock, seconds since 1970 UTC
 * @param owner who holds it, empty if it does not tell
 */
public record Pin(String id, long version, long expiresAtUnix, String owner)
    implements Serializable {}
