/** The sink that prints windows to the terminal. */
package io.updraft.pipeline.sink.console;
