/** A block of lines that redraws in place on the terminal. */
package io.updraft.cli.terminal;
