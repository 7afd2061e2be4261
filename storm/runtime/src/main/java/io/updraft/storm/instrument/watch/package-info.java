/** The watchers of one component instance: the instance is wrapped only while it has any. */
package io.updraft.storm.instrument.watch;
