package com.namidb.format

import org.scalatest.funsuite.AnyFunSuite

/** The goldens themselves arrived whole: a lost file or a wrong count would make other suites vacuous. */
class GoldenFilesSuite extends AnyFunSuite {
  test("every golden namespace is there with its answers") {
    assert(Golden.cases.size == 21)
    for (c <- Golden.cases) assert(java.nio.file.Files.isDirectory(c.folder.resolve("manifest")), c.name)
    val total = Golden.cases.flatMap(_.recorded)
    info(s"${Golden.cases.size} namespaces, ${total.size} recorded versions, " +
      s"${total.map(_.nodes.size).sum} nodes, ${total.map(_.edges.size).sum} edges")
    assert(Golden("time-travel").recorded.flatMap(_.version).sorted == Seq(1L, 4L, 8L))
    assert(Golden("types").recorded.head.nodes.size == 40)
    assert(Golden("banca-aml").recorded.map(a => a.nodes.size -> a.edges.size).toSet ==
      Set(122 -> 218, 121 -> 225, 120 -> 215))
  }
}
