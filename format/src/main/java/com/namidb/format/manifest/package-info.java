/**
 * The manifest as an immutable model, its JSON codecs and the names of all objects of a namespace
 * (manifest §1, §2). No I/O here. Entry class: {@link com.namidb.format.manifest.Manifest}.
 */
package com.namidb.format.manifest;
