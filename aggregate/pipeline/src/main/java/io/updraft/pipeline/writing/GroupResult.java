package io.updraft.pipeline.writing;

import io.updraft.pipeline.unit.Unit;
import io.updraft.timeseries.query.WindowResult;

/**
 * A result that can be written.
 *
 * @param group the group whose units alone are in the result; null if it is of all units
 * @param result the result of one window
 */
record GroupResult(Unit.Group group, WindowResult result) {}
