/** Ericsson's whole pipeline: records of 62 dimensions and 20 measures as JSON, from files to results. */
package io.updraft.bench.aggregate.files;
