/** Cuts streams into records: lines, and rows of CSV. */
package io.updraft.pipeline.line;
