package io.updraft.bench.spec;

/**
 * The topology of a run and its load. Both sides of a comparison have the same shape.
 *
 * @param topology {@code sol}, {@code wordcount}, {@code windowsum}, {@code tridentwords}, or the name of a class that implements
 *     {@link io.updraft.bench.topology.BenchTopology}
 * @param spouts the parallelism of the spout
 * @param bolts the parallelism of each level of bolts
 * @param levels the number of levels of bolts, including the sink
 * @param messageSize bytes per message
 * @param acked whether messages are tracked
 * @param rate messages per second over all spouts, emitted on a fixed schedule; 0 for as fast as possible
 * @param zipf the exponent of the frequencies of words in {@code wordcount}: the word of rank r is emitted 1 / r^zipf times as
 *     often as the first; 0 for words that are equally frequent
 */
public record Shape(
        String topology, int spouts, int bolts, int levels, int messageSize, boolean acked, long rate, double zipf) {

    /** The usual exponent of the frequencies of words, which is about that of real texts. */
    public static final double USUAL_ZIPF = 1;

    /** Creates a shape with the usual frequencies of words. */
    public Shape(String topology, int spouts, int bolts, int levels, int messageSize, boolean acked, long rate) {
        this(topology, spouts, bolts, levels, messageSize, acked, rate, USUAL_ZIPF);
    }

    /** {@return whether messages are emitted on a fixed schedule} */
    public boolean openLoop() {
        return rate > 0;
    }

    /** {@return this shape without tracking of messages} */
    public Shape untracked() {
        return new Shape(topology, spouts, bolts, levels, messageSize, false, rate, zipf);
    }

    /**
     * Returns this shape with another message size.
     *
     * @param bytes bytes per message
     */
    public Shape withMessageSize(int bytes) {
        return new Shape(topology, spouts, bolts, levels, bytes, acked, rate, zipf);
    }
}
