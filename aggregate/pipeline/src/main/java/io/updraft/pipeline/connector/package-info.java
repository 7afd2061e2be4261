/** What sources and sinks have in common: their contracts, their options, and the positions that a sink commits. */
package io.updraft.pipeline.connector;
