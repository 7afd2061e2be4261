/** What Storm's daemons load of Updraft: the main class of a worker, and a validator of topologies. */
package io.updraft.plugin;
