package io.updraft.engine.snapshot;

/**
 * One subscription and whether it is under back-pressure.
 *
 * @param from the emitting component
 * @param stream the stream
 * @param to the subscribing component
 * @param backPressured whether {@code to} holds back {@code from} now
 */
public record EdgeSnapshot(String from, String stream, String to, boolean backPressured) {}
