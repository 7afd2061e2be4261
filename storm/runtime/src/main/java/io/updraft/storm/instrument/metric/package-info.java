/** Metrics of components for Storm's consumers and reporters. */
package io.updraft.storm.instrument.metric;
