package com.namidb.format.scan;

import com.namidb.format.store.ObjectStore;
import com.namidb.format.wal.WalReplay;
import com.namidb.format.wal.WalState;
import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replayed WALs, so that the tasks of an executor replay a version once. Bounded by bytes, least
 * recently used first out; a state too large to keep is still shared while a task uses it.
 */
final class WalCache {
  private static final long SHARE_OF_HEAP = 16;
  private static final WalCache SHARED =
      new WalCache(Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);

  private final long capacityBytes;
  private final LinkedHashMap<String, WalState> kept = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<String, Slot> slots = new ConcurrentHashMap<>();
  private long bytes;

  WalCache(long capacityBytes) {
    this.capacityBytes = capacityBytes;
  }

  /** The one of this process. */
  static WalCache shared() {
    return SHARED;
  }

  /** The replayed state; concurrent callers of one version wait for a single replay. */
  WalState state(ObjectStore store, SliceWal wal) {
    if (wal.isEmpty()) {
      return WalState.empty();
    }
    String key = wal.cacheKey();
    Slot slot = slots.computeIfAbsent(key, k -> new Slot());
    synchronized (slot) {
      WalState state = slot.state == null ? null : slot.state.get();
      if (state == null) {
        state = WalReplay.of(store, wal.segments());
        slot.state = new WeakReference<>(state);
      }
      keep(key, state);
      return state;
    }
  }

  private synchronized void keep(String key, WalState state) {
    if (kept.get(key) == state) {
      return;
    }
    long size = state.heapBytes();
    WalState old = kept.remove(key);
    bytes -= old == null ? 0 : old.heapBytes();
    if (size <= capacityBytes) {
      kept.put(key, state);
      bytes += size;
    }
    Iterator<Map.Entry<String, WalState>> eldest = kept.entrySet().iterator();
    while (bytes > capacityBytes) {
      bytes -= eldest.next().getValue().heapBytes();
      eldest.remove();
    }
    slots.values().removeIf(s -> s.state != null && s.state.refersTo(null));
  }

  synchronized int size() {
    return kept.size();
  }

  private static final class Slot {
    private volatile WeakReference<WalState> state;
  }
}
