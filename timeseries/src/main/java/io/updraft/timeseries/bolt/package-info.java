/** Aggregation as a component of any Storm topology. The only package of this module that knows Storm. */
package io.updraft.timeseries.bolt;
