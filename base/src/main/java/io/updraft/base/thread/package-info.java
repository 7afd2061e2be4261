/** Threads. */
package io.updraft.base.thread;
