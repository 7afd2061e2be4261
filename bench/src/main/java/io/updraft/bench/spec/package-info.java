/** The specification, progress and result of a run: all that parent and child JVM exchange. */
package io.updraft.bench.spec;
