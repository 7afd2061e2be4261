/** Turns a topology into a plan: tasks, executors, streams, placement. */
package io.updraft.engine.plan;
