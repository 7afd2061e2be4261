package io.updraft.engine.failure;

import io.updraft.engine.metrics.DeadLetter;

/** Receives messages that failed too often. Called on the thread of the spout. */
public interface DeadLetterReceiver {

    DeadLetterReceiver NONE = letter -> {};

    void add(DeadLetter letter);
}
