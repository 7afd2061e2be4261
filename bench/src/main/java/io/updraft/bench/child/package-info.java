/** What runs in the child JVM: one run, from submitting the topology to checking its answer. */
package io.updraft.bench.child;
