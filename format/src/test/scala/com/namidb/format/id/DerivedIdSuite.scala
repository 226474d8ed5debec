package com.namidb.format.id

import org.scalatest.funsuite.AnyFunSuite

class DerivedIdSuite extends AnyFunSuite {
  // Computed with Python: uuid.uuid5(uuid.UUID("6f0d9a4e-6c1b-5b0e-9d5e-3a1f4c2b7e10"), "Person\0" + parts).
  private val d = new DerivedId

  test("the derivation is UUIDv5 of label and tagged key parts, frozen") {
    assert(d.begin("Person").string("ann@x.org".getBytes("UTF-8")).id.toString == "03c52eda-1be9-5edd-b82b-8843154495dc")
    assert(d.begin("Person").integer(-7).id.toString == "f0c8c942-6f91-5f12-bff5-c20e04d01103")
    assert(d.begin("Ünï").string("é😀".getBytes("UTF-8")).integer(Long.MaxValue).id.toString == "c54c711e-9f6e-5d46-a37f-ee266efeece7")
    assert(d.begin("T").bool(true).date(-1).timestamp(-1).id.toString == "3eda7a38-5bdc-5129-a506-31c7dd754ef9")
    assert(d.begin("T").binary(Array[Byte](0, -1)).decimal(new java.math.BigDecimal("1E+3")).id.toString == "12b984ef-6c08-55a4-b8d3-9d0bddc1a152")
  }

  test("parts cannot run into each other") {
    def id(parts: String*) = { d.begin("L"); parts.foreach(p => d.string(p.getBytes("UTF-8"))); d.id }
    val all = Seq(id("ab", "c"), id("a", "bc"), id("abc"), id("1:a"), id("a", "s1:b"), id("as1:b"), id())
    assert(all.distinct.size == all.size)
  }
}
