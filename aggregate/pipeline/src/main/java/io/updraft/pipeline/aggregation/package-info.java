/** The task that decodes records and aggregates rows, with its state of each partition. */
package io.updraft.pipeline.aggregation;
