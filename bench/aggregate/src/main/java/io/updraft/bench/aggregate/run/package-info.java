/** Runs of one peer each, in a JVM of its own, and the checks of what it wrote. */
package io.updraft.bench.aggregate.run;
