/** What a pipeline is to do: read from YAML, checked, and written out again. */
package io.updraft.pipeline.spec;
