/** Standard input as a source. */
package io.updraft.pipeline.source.stdin;
