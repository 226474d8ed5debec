/**
 * What can be done with named stages and jobs outside a write: publish, try, discard, list, ask
 * (contract §6, §7; protocol §2). Entry class: {@link com.namidb.spark.job.Jobs}.
 */
package com.namidb.spark.job;
