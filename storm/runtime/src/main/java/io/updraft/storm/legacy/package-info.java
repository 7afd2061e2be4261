/**
 * Jars of Storm 0.9 and 0.10, whose API was in the packages {@code backtype.storm} and {@code storm.trident}: {@link
 * io.updraft.storm.legacy.LegacyJar} writes a copy for today's Storm.
 */
package io.updraft.storm.legacy;
