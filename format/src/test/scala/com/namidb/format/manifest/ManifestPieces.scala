package com.namidb.format.manifest

import java.nio.charset.StandardCharsets.UTF_8

/** The text of a manifest put together again from the pieces a rewrite works with. */
object ManifestPieces {
  def reassembled(m: Manifest): String = {
    val d = m.document
    val ssts = (0 until d.descriptors).map(i => new String(d.descriptor(i), UTF_8))
    new String(d.`with`(java.util.Map.of("ssts", ssts.mkString("[", ",", "]").getBytes(UTF_8))), UTF_8)
  }
}
