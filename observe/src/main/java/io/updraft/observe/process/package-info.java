/** What is known of the processes of a run: what they use, and the states of workers. */
package io.updraft.observe.process;
