/** Runnable examples. */
package com.namidb.examples;
