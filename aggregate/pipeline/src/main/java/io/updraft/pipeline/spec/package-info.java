/** The description of a pipeline: reads it from YAML, checks it, and writes it as YAML. */
package io.updraft.pipeline.spec;
