/**
 * Planning and reading of scans: one slice per SST, big ones cut, each with the sources that shadow
 * it (design: a live record is emitted exactly once, by the slice that holds its winner). Entry
 * class: {@link com.namidb.format.scan.ScanPlanner}.
 */
package com.namidb.format.scan;
