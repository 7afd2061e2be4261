/** Windows of counts, in place of Storm's window manager. */
package io.updraft.storm.window;
