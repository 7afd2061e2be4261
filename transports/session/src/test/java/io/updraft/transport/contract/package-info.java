/**
 * What every transport must do, as tests that a transport's module runs against itself: extend
 * {@link io.updraft.transport.contract.TransportContract}.
 */
package io.updraft.transport.contract;
