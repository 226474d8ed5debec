/**
 * Identifiers and their order: 16-byte ids compared as unsigned bytes, inclusive key ranges, LSNs
 * as unsigned 64-bit numbers (values §3, node §3.3). Entry class: {@link
 * com.namidb.format.id.NodeId}.
 */
package com.namidb.format.id;
