package com.namidb.format.error;

/** Errors of a URI, a namespace name or a root, as a user gave them. */
public final class LocationErrors {
  private static final String FORMS =
      "Use file://<folder>?ns=<namespace> or s3://<bucket>/<prefix>?ns=<namespace>.";

  private LocationErrors() {}

  /**
   * The URI has none of the known forms.
   *
   * @param shown the URI without its query and credentials
   */
  public static InvalidOptionException badUri(String shown, String reason) {
    return invalid("The URI '" + shown + "' cannot be used: " + reason, FORMS);
  }

  /** A graph for the engine would be made where the engine does not find what it wrote itself. */
  public static InvalidOptionException engineIsBlind(String namespace, String prefix) {
    return new InvalidOptionException(
        "No graph of the engine can be made below a prefix whose keys need percent-encoding: the"
            + " engine (2.1.4, 2.6.19) does not find its own files there",
        new Where(namespace, null, prefix, null),
        "Nothing was written. Use a prefix of letters, digits and . _ - / + , or make a graph for"
            + " Spark alone with option layout=single-object.",
        null);
  }

  /** No store has this scheme. */
  public static InvalidOptionException unknownScheme(String scheme) {
    return invalid("Unknown URI scheme '" + scheme + "'", FORMS);
  }

  /**
   * A query parameter that looks like one that means something; any other is ignored.
   *
   * @param shown the URI without its query and credentials
   * @param name the parameter's name as given
   * @param near the name it looks like
   */
  public static InvalidOptionException misspelled(String shown, String name, String near) {
    return invalid(
        "The URI '" + shown + "' has the unknown parameter '" + name + "'",
        "Did you mean '" + near + "'? Leave it out otherwise.");
  }

  /** Neither the URI nor an option names the namespace. */
  public static InvalidOptionException noNamespace(String shown) {
    return invalid(
        "The URI '" + shown + "' names no namespace",
        "Add ?ns=<namespace> to it or set the option 'namespace'.");
  }

  /** URI and option name different namespaces. */
  public static InvalidOptionException namespaceConflict(String inUri, String inOption) {
    return invalid(
        "The URI names the namespace '"
            + inUri
            + "', the option 'namespace' names '"
            + inOption
            + "'",
        "Leave one of them out or make them equal.");
  }

  /** The name does not follow manifest §1.4. */
  public static InvalidOptionException badNamespace(String name) {
    String shown = name.length() <= 80 ? name : name.substring(0, 80) + "…";
    return invalid(
        "'" + shown + "' is no namespace name",
        "A name has 1 to 63 characters: lower-case letters, digits and hyphens, not starting with a"
            + " hyphen.");
  }

  /**
   * A layout is asked for that the namespace does not have.
   *
   * @param is the layout it has, as the option spells it
   * @param asked the layout asked for
   */
  public static InvalidOptionException otherLayout(
      String namespace, String is, String asked, Throwable cause) {
    return new InvalidOptionException(
        "The namespace exists in the layout '" + is + "', not in '" + asked + "'",
        new Where(namespace, null, null, null),
        "Leave option 'layout' out: it only chooses how a new namespace is made.",
        cause);
  }

  /** Two writers created a namespace at the same moment, each in another layout. */
  public static CorruptObjectException bothLayouts(
      String namespace, String single, String versioned) {
    return new CorruptObjectException(
        "The namespace was created in both layouts at the same moment: "
            + single
            + " and objects under "
            + versioned
            + " are there",
        new Where(namespace, null, single, null),
        "Neither holds rows yet. Delete one of them and write again with one 'layout' only.",
        null);
  }

  /**
   * A part of the root prefix stands for this folder or the one above.
   *
   * @param part the part as given
   */
  public static InvalidOptionException dotsInRoot(String root, String part) {
    return invalid(
        badRoot(root) + "its part '" + part + "' would lead to another folder",
        "Write the prefix without '.' and '..' parts (%2E is a dot, too).");
  }

  /**
   * The root prefix holds control characters, or half a character.
   *
   * @param shown the root without them
   */
  public static InvalidOptionException controlsInRoot(String shown) {
    return invalid(
        badRoot(shown) + "it holds a control character, or half of a character",
        "No URI can name such a prefix. Copy the graph to another one.");
  }

  /** The root of a folder holds characters that keys do not have as they are. */
  public static InvalidOptionException encodedRoot(String root) {
    return invalid(
        badRoot(root) + "in a folder it may only hold characters that need no encoding",
        "Append it to the folder that the URI names, where any character may be.");
  }

  private static String badRoot(String root) {
    return "The root prefix '" + root + "' cannot be used: ";
  }

  private static InvalidOptionException invalid(String what, String advice) {
    return new InvalidOptionException(what, Where.UNKNOWN, advice, null);
  }
}
