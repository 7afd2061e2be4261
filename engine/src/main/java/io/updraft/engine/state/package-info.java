/** What all loops and executors of a topology share. */
package io.updraft.engine.state;
