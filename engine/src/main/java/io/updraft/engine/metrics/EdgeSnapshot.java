package io.updraft.engine.metrics;

/**
 * One subscription, seen by an operator.
 *
 * @param from the emitting component
 * @param stream the stream
 * @param to the subscribing component
 * @param backPressured whether {@code to} holds back {@code from} now
 */
public record EdgeSnapshot(String from, String stream, String to, boolean backPressured) {}
