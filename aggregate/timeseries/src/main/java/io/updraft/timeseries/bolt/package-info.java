/** Aggregation as a bolt of any Storm topology. The only package of this module that depends on Storm. */
package io.updraft.timeseries.bolt;
