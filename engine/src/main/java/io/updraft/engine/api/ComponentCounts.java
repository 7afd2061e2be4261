package io.updraft.engine.api;

/**
 * Some counters of one component in this process.
 *
 * @param component the component
 * @param emitted tuples emitted since the start
 * @param executed tuples executed since the start (bolts)
 * @param acked tuples acked (bolts), tuple trees completed (spouts), since the start
 * @param queued tuples that wait now
 * @param inFlight tuple trees in flight now (spouts)
 */
public record ComponentCounts(String component, long emitted, long executed, long acked, long queued, long inFlight) {}
