/** The share of tuples that components send to the event logger. */
package io.updraft.storm.instrument.event;
