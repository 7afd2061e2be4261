package io.updraft.pipeline.run;

import io.updraft.timeseries.aggregate.WindowResult;

/**
 * A result that can be written.
 *
 * @param group the group whose units alone are in the result; null if it is of all units
 * @param result the result of one window
 */
record Ready(Unit.Group group, WindowResult result) {}
