/** The process of a worker that a coordinator on this host has started, and controls over its socket. */
package io.updraft.cluster.local;
