package io.updraft.bench.aggregate;

import java.nio.charset.StandardCharsets;

/** Writes results as JSON, the same for all peers. */
final class ResultJson {

    private ResultJson() {}

    /**
     * Writes a result.
     *
     * @param start the window's start, in milliseconds since 1970
     * @param name metric and source, as in the records' Kafka key
     */
    static byte[] write(long start, String name, Totals totals) {
        int separator = name.indexOf(MeasurementSequence.SEPARATOR);
        return new StringBuilder(160)
                .append("{\"window_start\":")
                .append(start)
                .append(",\"metric\":\"")
                .append(name, 0, separator)
                .append("\",\"source\":\"")
                .append(name, separator + 1, name.length())
                .append("\",\"sum\":")
                .append(totals.sum)
                .append(",\"avg\":")
                .append(totals.avg())
                .append(",\"min\":")
                .append(totals.min)
                .append(",\"max\":")
                .append(totals.max)
                .append(",\"count\":")
                .append(totals.count)
                .append('}')
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
