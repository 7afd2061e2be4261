/**
 * Storm's contract around the engine: the cluster that a program submits to, the contexts that its components are
 * prepared with, the configuration as Storm reads it, and the door through which an unchanged program comes in.
 *
 * <p>The engine knows nothing of this package; everything here speaks {@code org.apache.storm} on one side and
 * {@link io.updraft.engine.Engine} on the other.
 */
package io.updraft.storm;
