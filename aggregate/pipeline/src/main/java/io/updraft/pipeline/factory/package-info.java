/** Creates the source and the sinks that a pipeline names. */
package io.updraft.pipeline.factory;
