/** Runs of the experiments, each in its own JVMs, and the checks of their results. */
package io.updraft.bench.aggregate.run;
