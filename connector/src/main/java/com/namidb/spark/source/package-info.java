/**
 * The data source {@code namidb} (contract §1–3). Entry class: {@link
 * com.namidb.spark.source.NamiDataSource}.
 */
package com.namidb.spark.source;
