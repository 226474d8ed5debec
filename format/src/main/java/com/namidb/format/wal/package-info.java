/**
 * WAL segments: frames, checksums, envelopes, and the state their replay gives (wal §1–7). Entry
 * class: {@code WalState}.
 */
package com.namidb.format.wal;
