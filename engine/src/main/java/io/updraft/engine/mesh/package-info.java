/** Batches, and the rings between loops. */
package io.updraft.engine.mesh;
