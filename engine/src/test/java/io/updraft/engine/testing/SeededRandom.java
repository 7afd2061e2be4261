package io.updraft.engine.testing;

import java.util.List;
import java.util.SplittableRandom;

/** Makes every decision of a simulation, in one order, so that the seed determines the whole run. */
public final class SeededRandom {

    private final SplittableRandom random;

    public SeededRandom(long seed) {
        random = new SplittableRandom(seed);
    }

    public boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    public boolean percent(int share) {
        return random.nextInt(100) < share;
    }

    /** A number between two, both included. */
    public int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    public int oneOf(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    public <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** A position, each as likely as its weight. At least one weight is not zero. */
    public int weighted(int... weights) {
        int total = 0;
        for (int weight : weights) {
            total += weight;
        }
        int left = random.nextInt(total);
        int index = 0;
        while (left >= weights[index]) {
            left -= weights[index++];
        }
        return index;
    }
}
