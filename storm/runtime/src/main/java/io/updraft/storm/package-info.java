/**
 * Storm's contract on top of the engine: the cluster that a program submits to, the contexts of its components, the
 * configuration as Storm reads it, and the redirection of Storm's client for unchanged programs.
 *
 * <p>The engine does not depend on this package. Everything here translates between {@code org.apache.storm} and {@link
 * io.updraft.engine.run.Engine}.
 */
package io.updraft.storm;
