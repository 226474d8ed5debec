/**
 * A version opened for reading, and the front door to a namespace (manifest §3, §5). Entry class:
 * {@link com.namidb.format.snapshot.Namespace}.
 */
package com.namidb.format.snapshot;
