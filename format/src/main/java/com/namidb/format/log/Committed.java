package com.namidb.format.log;

import com.namidb.format.manifest.Manifest;

/**
 * A committed version.
 *
 * @param ref its name
 * @param manifest its content
 */
public record Committed(ManifestRef ref, Manifest manifest) {}
