/** Numbers for texts, so that rows hold integers. */
package io.updraft.timeseries.dictionary;
