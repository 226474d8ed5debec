/**
 * DELETE, UPDATE and MERGE as Spark plans them, on the version a table is pinned to (contract §6,
 * protocol §6, §10). Entry class: {@link com.namidb.spark.rowlevel.ChangedTable}.
 */
package com.namidb.spark.rowlevel;
