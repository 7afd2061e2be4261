package io.updraft.observe.view;

/**
 * A subscription of a bolt to a stream.
 *
 * @param from the component that emits
 * @param stream the stream
 * @param to the bolt
 * @param perSecond the tuples that the bolt has executed, in a second
 * @param backPressured whether the bolt holds back the component; null if the source does not know
 */
public record EdgeView(String from, String stream, String to, double perSecond, Boolean backPressured) {}
