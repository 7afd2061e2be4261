/** Runs in worker processes: the runtimes that launch workers, and the collection of their counts. */
package io.updraft.bench.workers;
