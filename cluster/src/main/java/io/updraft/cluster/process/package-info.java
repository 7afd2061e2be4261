/** The JVM of a worker as an operating system's process: its command line, its output, and why it has ended. */
package io.updraft.cluster.process;
