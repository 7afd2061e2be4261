package io.updraft.engine.tuple;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Finds the component whose executor created an edge, from the edge's id alone.
 *
 * <p>{@link EdgeIds} can be inverted: an id and the seed of its generator give the number of the id. If that number is one that
 * the generator can have reached, the generator made the id. A number that is no edge, for example the XOR of several edges, is
 * taken for an edge with a probability of 2<sup>-24</sup> for each seed.
 *
 * <p>May be used by any thread.
 */
public final class EdgeOrigins {

    /** No generator makes more ids: at a million a second, that takes 12 days, and then edges are not found any more. */
    private static final long MAX_NUMBER = 1L << 40;

    private final List<Origin> origins = new CopyOnWriteArrayList<>();

    private record Origin(String component, long[] seeds) {}

    /**
     * Adds the generators of one executor.
     *
     * @param component the id of its component
     * @param seeds their seeds
     */
    public void add(String component, long[] seeds) {
        origins.add(new Origin(component, seeds));
    }

    /**
     * Finds the component that created an edge.
     *
     * @param edge the edge
     * @return the id of the component, or null if no generator has made this number
     */
    public String componentOf(long edge) {
        for (Origin origin : origins) {
            for (long seed : origin.seeds) {
                long number = EdgeIds.numberOf(edge, seed);
                if (number > 0 && number <= MAX_NUMBER) {
                    return origin.component;
                }
            }
        }
        return null;
    }
}
