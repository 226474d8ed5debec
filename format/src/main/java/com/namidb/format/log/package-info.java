/**
 * The history of manifest versions: resolving the current one without a LIST, opening a pinned one
 * with one GET (manifest §3). Entry class: {@link com.namidb.format.log.ManifestLog}.
 */
package com.namidb.format.log;
