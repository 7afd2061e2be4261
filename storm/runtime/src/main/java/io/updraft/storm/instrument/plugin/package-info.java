/** Classes of the program that settings name. */
package io.updraft.storm.instrument.plugin;
