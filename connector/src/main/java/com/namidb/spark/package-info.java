/** The Spark connector: format {@code namidb} and its catalog. */
package com.namidb.spark;
