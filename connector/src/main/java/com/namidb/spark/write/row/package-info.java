/**
 * What the columns of a write mean, and rows turned into sortable records: ids, label ids, property
 * text (contract §6, values §6). Uses no other package of writing. Entry classes: {@link
 * com.namidb.spark.write.row.ShapeBuilder} on the driver, {@link
 * com.namidb.spark.write.row.RowEncoder} in tasks.
 */
package com.namidb.spark.write.row;
