/** Where a pipeline's results go. */
package io.updraft.pipeline.sink;
