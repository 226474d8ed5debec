/**
 * Objects as files below one directory: the key is the path, letter by letter. Creation is a hard
 * link to a finished temporary file, replacement a rename; both are all or nothing, also across a
 * crash. Names that are no objects: the engine's control directory {@code .namidb/}, temporary
 * files {@code <name>#<digits>} (manifest §1.1) and the lock file {@code .lock} of conditional
 * replacement (single-object layout). Symbolic links below the directory are not followed. Entry
 * class: {@link com.namidb.format.store.local.LocalStore}.
 */
package com.namidb.format.store.local;
