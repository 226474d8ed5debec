/**
 * Property values and their tagged JSON text (values §1): reading into a visitor without building
 * trees, writing with every limit checked. Entry class: {@link
 * com.namidb.format.value.PropertyReader}.
 */
package com.namidb.format.value;
