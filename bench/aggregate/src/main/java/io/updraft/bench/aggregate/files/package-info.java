/** Ericsson's whole pipeline: JSON records of 62 dimensions and 20 measures, from files to results. */
package io.updraft.bench.aggregate.files;
