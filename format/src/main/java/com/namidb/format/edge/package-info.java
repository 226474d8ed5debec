/**
 * The edge SST: one type, one direction, sections with their own checksums (edge §1–2, §6). Entry
 * class: {@code EdgeSstReader}.
 */
package com.namidb.format.edge;
