/** Runs pipelines on the embedded engine. */
package io.updraft.pipeline.run;
