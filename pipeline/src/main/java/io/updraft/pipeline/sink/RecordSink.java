package io.updraft.pipeline.sink;

/**
 * Where records go that are put aside: those that do not parse (dead letters), and those that came too late. What cannot be written
 * now waits, what can never be written is counted. Any thread may call it.
 */
public interface RecordSink extends AutoCloseable {

    /**
     * Puts a record aside. It may wait in memory until the next flush; does not block for longer than a write to the disk.
     *
     * @param unit of the source: its file, its topic and partition
     * @param position of the record in the unit
     * @param reason why, in one line
     * @param bytes hold the record; not changed, and not kept after this returns
     * @param from where it begins
     * @param length how many bytes it has
     */
    void accept(String unit, long position, String reason, byte[] bytes, int from, int length);

    /**
     * Makes sure that what was accepted before lasts: only then may positions be committed that lie behind it. What can never be
     * written is counted, and said once.
     *
     * @throws SinkException when that has failed and may pass: what was not written waits for the next flush
     */
    void flush() throws SinkException;

    /** How many bytes wait in memory for a flush, roughly: who reads records waits when they are many. */
    long waiting();

    /** How many records were accepted. */
    long accepted();

    /** How many of them can never be written or were beyond the limit, and are only counted. */
    long dropped();

    /** Flushes if it can, and gives everything back. */
    @Override
    void close();
}
