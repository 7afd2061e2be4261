/** What a run is asked to do and what it answers: the only words that parent and child JVM exchange. */
package io.updraft.bench.spec;
