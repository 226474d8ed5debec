/**
 * SQL functions of the catalog (contract §6). Entry class: {@link
 * com.namidb.spark.function.GraphFunctions}.
 */
package com.namidb.spark.function;
