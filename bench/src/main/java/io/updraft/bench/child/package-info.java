/**
 * What runs in the child JVM: one run after the other, from submitting the topology to checking its answer. The components
 * are in the child itself or in worker processes that it starts ({@code Site}).
 */
package io.updraft.bench.child;
