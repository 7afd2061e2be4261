/** What a run is to do: one type for each kind of run. */
package io.updraft.pipeline.plan;
