/**
 * The edge SST: one edge type in one direction, sections with their own checksums. Source: edge
 * §1–2, §6. Entry classes: {@link com.namidb.format.edge.EdgeSstReader} and {@link
 * com.namidb.format.edge.EdgeSstWriter}.
 *
 * <pre>
 * bytes        part                  class
 * 64           header                EdgeHeader
 * 16 per key   KEY_IDS               IdColumns, KeyIndex
 * 3-6 per key  OFFSETS               KeyIndex
 * 8 per key    EDGE_ORDINALS         KeyIndex
 * 16 per row   PARTNERS, in blocks   IdColumns
 * 8 per row    PER_EDGE_LSN          RowBatches
 * 1/8 per row  PER_EDGE_TOMBSTONES   RowBatches
 *              FENCE_INDEX           Fence
 *              PROPERTY_STREAM, 0-n  Payloads, PropertyPages, ArrowColumn
 * 40           SST_BINDING           EdgeFile
 *              PAGE_CHECKSUMS        PageChecksums
 *              footer, trailer       SectionTable, EdgeFooter
 * </pre>
 */
package com.namidb.format.edge;
