/**
 * Who wins among versions of one key: highest LSN, then WAL, then manifest order; tombstones hide,
 * then labels filter, in this order only (manifest §5). No I/O. Entry class: {@code
 * ShadowedCursor}.
 */
package com.namidb.format.merge;
