/** Benchmarks of transports alone, without the layers above them. */
package io.updraft.microbench.transport;
