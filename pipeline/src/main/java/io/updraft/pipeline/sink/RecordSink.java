package io.updraft.pipeline.sink;

/**
 * Where records go that are put aside: those that do not parse (dead letters), and those that came too late. Never stops the run:
 * what it cannot write is counted. Any thread may call it, and it does not block for longer than a write to the disk.
 */
public interface RecordSink extends AutoCloseable {

    /**
     * Puts a record aside.
     *
     * @param unit of the source: its file, its topic and partition
     * @param position of the record in the unit
     * @param reason why, in one line
     * @param bytes hold the record; not changed, and not kept after this returns
     * @param from where it begins
     * @param length how many bytes it has
     */
    void accept(String unit, long position, String reason, byte[] bytes, int from, int length);

    /** Makes sure that what was accepted lasts, as far as that can be had. */
    void flush();

    /** How many records were accepted. */
    long accepted();

    /** How many of them could not be written or were beyond the limit, and are only counted. */
    long dropped();

    /** Flushes, and gives everything back. */
    @Override
    void close();
}
