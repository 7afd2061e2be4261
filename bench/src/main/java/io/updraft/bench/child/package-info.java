/**
 * The child JVM: executes one run after the other, from submitting the topology to checking its results. The components run in
 * the child itself or in worker processes that it starts ({@code RunSite}).
 */
package io.updraft.bench.child;
