package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowResult;

/**
 * A result that can be written.
 *
 * @param group whose units alone it is made of; null if it is of all units
 * @param result of one window
 */
record Ready(Unit.Group group, WindowResult result) {}
