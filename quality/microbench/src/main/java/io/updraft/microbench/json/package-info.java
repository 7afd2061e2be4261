/** A comparison of JSON parsers that fill the same rows from the same records. */
package io.updraft.microbench.json;
