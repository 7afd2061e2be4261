/** Checks of emitted values: that they can be sent to another worker, and that nobody changes them afterwards. */
package io.updraft.storm.instrument.check;
