/**
 * WAL segments: frames, checksums, envelopes, and the state their replay gives (wal §1–7). Entry
 * class: {@code WalState}.
 *
 * <pre>
 * segment  magic "TGWL" | version u16 | 0 u16 | count u32 | first LSN u64 | records | "TGEL" | CRC32
 * record   length u32 | CRC32 over LSN and payload | LSN u64 | payload
 * payload  key (0 node: id; 1 edge: type, src, dst) | op (0 upsert: JSON; 1 tombstone) | LSN u64
 * </pre>
 */
package com.namidb.format.wal;
