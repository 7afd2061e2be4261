/** The round of an event loop: turns, routing, ticks, idling. Start at {@code EventLoop.doWork}. */
package io.updraft.engine.loop;
