package com.namidb.format.stage;

import java.io.Serializable;

/**
 * An object with the original rows of one candidate.
 *
 * @param digest of the keys of its candidate, which tells the two belong together; empty for rows
 *     whose key comes twice in their task and is in no candidate
 * @param path relative to the namespace
 */
public record KeptFile(KeyDigest digest, String path) implements Serializable {}
