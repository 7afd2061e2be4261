/** A running topology, and what is read of it. */
package io.updraft.engine.topology;
