/** Files and class loaders of programs, and directories that are created and removed as a whole. */
package io.updraft.storm.program;
