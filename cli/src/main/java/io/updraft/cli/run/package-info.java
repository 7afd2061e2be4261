/** One run of a program: finds and starts the program, watches its topologies, drains and ends them. */
package io.updraft.cli.run;
