/** One worker's part of a topology with its link to the other workers, whoever has started it and tells it what to do. */
package io.updraft.cluster.worker;
