package com.namidb.format.validate;

import java.io.Serializable;

/**
 * Something a check of a version found.
 *
 * @param check which check
 * @param object what it is about: an object's key, a label, an edge type
 * @param problem in words
 * @param count how many rows or objects are concerned
 */
public record Finding(String check, String object, String problem, long count)
    implements Serializable {}
