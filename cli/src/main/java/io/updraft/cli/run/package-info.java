/** One run of a program: find it, start it, watch its topologies, end them in order. */
package io.updraft.cli.run;
