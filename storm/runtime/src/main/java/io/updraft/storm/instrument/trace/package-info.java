/** Locates messages that do not come back to their spout. */
package io.updraft.storm.instrument.trace;
