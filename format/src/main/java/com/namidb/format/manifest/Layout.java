package com.namidb.format.manifest;

/** How a namespace keeps its versions. Contract §9. */
public enum Layout {
  /** The engine's: numbered bodies, and pointers that commit them. Source: manifest §1.1. */
  VERSIONED("versioned"),
  /** One {@code manifest.json}, replaced under a condition. Source: single-object manifest. */
  SINGLE_OBJECT("single-object");

  private final String text;

  Layout(String text) {
    this.text = text;
  }

  /** The value of the option {@code layout} that asks for it. */
  public String text() {
    return text;
  }
}
