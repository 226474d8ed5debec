/**
 * Property values and their tagged JSON text (values §1): reading into a visitor without building
 * trees, writing with every limit checked, observing types for schema inference. Entry classes:
 * {@link com.namidb.format.value.PropertyReader}, {@link com.namidb.format.value.PropertyWriter},
 * {@link com.namidb.format.value.PropertyObserver}.
 */
package com.namidb.format.value;
