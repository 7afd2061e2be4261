/** JVMs that the benchmark starts. */
package io.updraft.bench.process;
