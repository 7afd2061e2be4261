/** What connects loops: batches, the rings between loops of a process, and the lanes to other workers. */
package io.updraft.engine.mesh;
