/**
 * The driver's side of a write, whoever asks for it: its job is begun and planned, what tasks
 * staged becomes a part of it, and the job is published (protocol §2, §3; design §6). Uses {@code
 * check}, {@code removal} and what these use. Entry classes: {@link
 * com.namidb.spark.write.publish.WriteJob}, {@link com.namidb.spark.write.publish.JobPublishing}.
 */
package com.namidb.spark.write.publish;
