/** The classes of Updraft that Storm's daemons load: the main class of a worker, and a validator of topologies. */
package io.updraft.plugin;
