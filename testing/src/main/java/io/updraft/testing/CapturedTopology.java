package io.updraft.testing;

import org.apache.storm.testing.TupleCaptureBolt;

/**
 * A topology whose tuples are all kept.
 *
 * @param topology the topology
 * @param capturer has the tuples
 * @param <T> the topology's kind: plain, or tracked
 */
public record CapturedTopology<T>(T topology, TupleCaptureBolt capturer) {}
