/** The parts of a source that are read and committed by themselves, and their progress. */
package io.updraft.pipeline.partition;
