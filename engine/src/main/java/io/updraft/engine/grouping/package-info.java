/** Groupings, which choose the task that receives a tuple, and samples of their keys. */
package io.updraft.engine.grouping;
