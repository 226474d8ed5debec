/**
 * Opens the store a configuration names. Entry class: {@link
 * com.namidb.format.store.open.StoreOpener}.
 */
package com.namidb.format.store.open;
