/** The source that generates records for trials. */
package io.updraft.pipeline.source.generator;
