/** A comparison of CSV readers that fill the same rows from the same records. */
package io.updraft.microbench.csv;
