/** Signals of the operating system. */
package io.updraft.cli.signal;
