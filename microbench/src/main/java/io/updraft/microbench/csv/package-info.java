/** Readers of CSV side by side, filling the same rows of the same records. */
package io.updraft.microbench.csv;
