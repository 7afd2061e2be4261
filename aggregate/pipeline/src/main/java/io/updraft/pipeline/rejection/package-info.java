/** Records that were refused, on their way to the dead-letter sink. */
package io.updraft.pipeline.rejection;
