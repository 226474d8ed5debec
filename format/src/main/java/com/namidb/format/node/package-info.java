/**
 * The node SST: a Parquet body of six columns, and its id filter (node §2–4, §7.1). The only
 * package that knows Parquet. Entry class: {@code NodeSstReader}.
 */
package com.namidb.format.node;
