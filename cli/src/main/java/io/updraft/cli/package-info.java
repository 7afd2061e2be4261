/** The command line: finds the program, runs it, shows what it does, ends it in order, and says plainly what went wrong. */
package io.updraft.cli;
