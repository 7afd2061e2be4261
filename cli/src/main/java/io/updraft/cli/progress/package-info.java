/** The progress of a pipeline, for an operator. */
package io.updraft.cli.progress;
