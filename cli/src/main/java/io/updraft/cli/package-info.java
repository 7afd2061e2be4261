/** The command line: finds and runs a program or pipeline, shows its progress, drains it at the end, and reports errors. */
package io.updraft.cli;
