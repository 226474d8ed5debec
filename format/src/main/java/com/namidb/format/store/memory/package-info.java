/**
 * Objects in the heap of this JVM: for tests and for trying things out. Entry class: {@link
 * com.namidb.format.store.memory.MemoryStore}.
 */
package com.namidb.format.store.memory;
