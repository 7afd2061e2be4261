/** The history of a run: figures of the last hour at one second, in bounded memory, for {@code updraft history}. */
package io.updraft.observe.history;
