package io.updraft.observe.view;

/**
 * What a component has received from one stream since its start.
 *
 * @param component the component that emits
 * @param stream the stream
 * @param grouping the grouping; null if the source does not say
 * @param executed tuples executed
 * @param acked tuples acked
 * @param failed tuples failed
 * @param executeMillis the mean time in execute, milliseconds
 * @param processMillis the mean time from execute to ack, milliseconds
 */
public record InputView(
        String component,
        String stream,
        String grouping,
        long executed,
        long acked,
        long failed,
        double executeMillis,
        double processMillis) {}
