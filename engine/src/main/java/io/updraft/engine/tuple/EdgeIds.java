package io.updraft.engine.tuple;

/**
 * Random edge ids of one executor, seeded by the plan.
 *
 * <p>SplitMix64: G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014). The generator
 * never returns zero, because XOR with zero has no effect.
 *
 * <p>Used by one thread at a time.
 */
public final class EdgeIds {

    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    /** The inverse of {@link #GAMMA} modulo 2<sup>64</sup>. */
    private static final long INVERSE_GAMMA = 0xF1DE83E19937733DL;

    private long state;

    /**
     * Creates a generator.
     *
     * @param seed equal seeds give equal ids
     */
    public EdgeIds(long seed) {
        state = seed;
    }

    /** {@return the next id, not zero} */
    public long next() {
        long id = mix(state += GAMMA);
        return id != 0 ? id : mix(state += GAMMA);
    }

    /**
     * Computes the edge of a message with a single target task. The edge is derived from the tree, so it is neither stored nor
     * sent while the tree has no other edge.
     *
     * @param owner the executor that owns the tree
     * @param root the tree
     * @return the edge, not zero
     */
    public static long first(int owner, long root) {
        long id = mix(owner + root * GAMMA);
        return id != 0 ? id : GAMMA;
    }

    /**
     * {@return a seed that differs from the seed of any other index}
     *
     * @param seed the plan's seed
     * @param index the index of the generator
     */
    public static long seedFor(long seed, int index) {
        return mix(seed + GAMMA * (index + 1L)) ^ mix(~seed - index);
    }

    /**
     * Computes which id of a generator a number is, the inverse of {@link #next}.
     *
     * @param id the number
     * @param seed the seed of the generator
     * @return the number of the id, from 1; for a number that the generator has not made, any 64-bit number
     */
    public static long numberOf(long id, long seed) {
        return (unmix(id) - seed) * INVERSE_GAMMA;
    }

    private static long mix(long z) {
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** Inverts {@link #mix}: the factors are the inverses of its factors modulo 2<sup>64</sup>. */
    private static long unmix(long id) {
        long z = (id ^ id >>> 31 ^ id >>> 62) * 0x319642B2D24D8EC3L;
        z = (z ^ z >>> 27 ^ z >>> 54) * 0x96DE1B173F119089L;
        return z ^ z >>> 30 ^ z >>> 60;
    }
}
