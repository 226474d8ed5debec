/**
 * Writing nodes and edges: tasks stage sorted candidate files, the driver checks and publishes them
 * in one commit (contract §6, design §6). Entry class: {@link
 * com.namidb.spark.write.NamiWriteBuilder}.
 */
package com.namidb.spark.write;
