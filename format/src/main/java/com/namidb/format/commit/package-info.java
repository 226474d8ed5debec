/**
 * Makes staged rows visible in one atomic step, finds conflicts, folds the WAL, and proves or
 * refutes afterwards that it happened (manifest §4, protocol §3–6). Entry class: {@link
 * com.namidb.format.commit.Publisher}.
 */
package com.namidb.format.commit;
