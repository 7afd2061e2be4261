/** Where a pipeline's records come from. */
package io.updraft.pipeline.source;
