/**
 * Every error of the connector: the typed exceptions and the only place that words them (contract
 * §10). A message says what happened, on which object and version, and what to do. Entry class:
 * {@link com.namidb.format.error.NamiException}.
 */
package com.namidb.format.error;
