/**
 * {@code CALL nami.system.…}: one class per procedure (contract §7). Entry class: {@link
 * com.namidb.spark.procedure.Procedures}.
 */
package com.namidb.spark.procedure;
