/** The threads that drive loops and detached executors, and the barrier that pauses them. */
package io.updraft.engine.thread;
