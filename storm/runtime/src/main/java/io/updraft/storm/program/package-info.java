/** Files and class loaders of programs. */
package io.updraft.storm.program;
