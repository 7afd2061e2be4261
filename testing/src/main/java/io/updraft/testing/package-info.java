/**
 * What tests of topologies use: the helpers of {@code org.apache.storm.Testing} (which is in Storm's server) over
 * {@link io.updraft.storm.UpdraftCluster}, by the same names. No test library is needed; failures are
 * {@link AssertionError}s.
 */
package io.updraft.testing;
