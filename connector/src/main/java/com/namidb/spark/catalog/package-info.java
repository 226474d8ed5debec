/**
 * Tables pinned to one version (contract §3, §4). Entry class: {@link
 * com.namidb.spark.catalog.TableLoader}.
 */
package com.namidb.spark.catalog;
