/** Parsers of JSON side by side, all filling the same rows of the same records. */
package io.updraft.microbench.json;
