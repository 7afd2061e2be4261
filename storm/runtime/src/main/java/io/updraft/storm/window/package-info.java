/** Windows: those of counts in place of Storm's window manager, and late tuples that may leave the worker. */
package io.updraft.storm.window;
