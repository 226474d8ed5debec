/**
 * Checks of staged rows that must read the graph (protocol §3, §6): ids that exist, ends of edges,
 * edges of deleted nodes, winners that changed, keys staged twice. Each check is cut into {@link
 * com.namidb.format.validate.KeyProbe}s, which the caller runs where it likes. Entry class: {@link
 * com.namidb.format.validate.StagedChecks}.
 */
package com.namidb.format.validate;
