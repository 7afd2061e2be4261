/** Moves executors between loops, and changes their number. */
package io.updraft.engine.rebalance;
