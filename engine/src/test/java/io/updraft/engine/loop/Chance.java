package io.updraft.engine.loop;

import java.util.List;
import java.util.SplittableRandom;

/** Makes every decision of a simulation, in one order, so that the seed determines the whole run. */
final class Chance {

    private final SplittableRandom random;

    Chance(long seed) {
        random = new SplittableRandom(seed);
    }

    boolean oneIn(int n) {
        return random.nextInt(n) == 0;
    }

    boolean percent(int share) {
        return random.nextInt(100) < share;
    }

    /** A number between two, both included. */
    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    int oneOf(int... choices) {
        return choices[random.nextInt(choices.length)];
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** A position, each as likely as its weight. At least one weight is not zero. */
    int weighted(int... weights) {
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
