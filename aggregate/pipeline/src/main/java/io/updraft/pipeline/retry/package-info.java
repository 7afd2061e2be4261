/** Repeated writes to a sink that fails, with pauses, and the alarm when a write is overdue. */
package io.updraft.pipeline.retry;
