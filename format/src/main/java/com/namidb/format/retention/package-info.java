/**
 * Collecting what nobody needs any more: old versions, files that no version names, abandoned jobs
 * (manifest §6, protocol §7). Entry class: {@link com.namidb.format.retention.Sweeper}.
 */
package com.namidb.format.retention;
