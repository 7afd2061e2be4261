/** Signals of the operating system. */
package io.updraft.cluster.signal;
