/** The sources of a pipeline. */
package io.updraft.pipeline.source;
