/**
 * Object stores behind one small interface: ranged reads, the two conditional writes, listing by
 * page. Keys are percent-encoded (manifest §1.3) and never pass through a path library. Entry
 * class: {@link com.namidb.format.store.ObjectStore}.
 */
package com.namidb.format.store;
