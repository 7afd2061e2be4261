/** Groupings: which task receives a tuple. */
package io.updraft.engine.grouping;
