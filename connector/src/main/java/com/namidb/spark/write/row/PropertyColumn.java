package com.namidb.spark.write.row;

import java.io.Serializable;
import org.apache.spark.sql.types.DataType;

/**
 * A column that becomes a property.
 *
 * @param name property name
 * @param column position in the row
 * @param type its type
 * @param vector whether numeric arrays become vectors of 32-bit floats
 * @param dim components a vector must have, 0 for any number
 * @param indexed whether the engine limits its text
 */
public record PropertyColumn(
    String name, int column, DataType type, boolean vector, int dim, boolean indexed)
    implements Serializable {}
