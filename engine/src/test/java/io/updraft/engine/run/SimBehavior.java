package io.updraft.engine.run;

import io.updraft.engine.testing.SeededRandom;

/**
 * The behaviour of the instances of one component.
 *
 * @param weights the weight of each {@link SimBolt.Action}
 * @param throwPermille calls in a thousand that throw
 * @param slowPermille calls in a thousand that take long, by the simulated clock
 * @param mostChildren the most tuples that one call emits
 */
record SimBehavior(int[] weights, int throwPermille, int slowPermille, int mostChildren) {

    static final int ALWAYS = 1000;

    static SimBehavior random(SeededRandom chance, boolean throwing, boolean slow) {
        int[] weights = new int[SimBolt.Action.values().length];
        for (int i = 0; i < weights.length; i++) {
            weights[i] = chance.percent(50) ? 0 : chance.between(1, 6);
        }
        weights[SimBolt.Action.ACK.ordinal()] += 4;
        weights[SimBolt.Action.BRANCH.ordinal()] += 6;
        weights[SimBolt.Action.EMIT_AND_WAIT.ordinal()] += 4;
        return new SimBehavior(
                weights,
                throwing && chance.percent(60) ? chance.between(1, 60) : 0,
                slow && chance.percent(60) ? chance.oneOf(2, 20, 400, ALWAYS) : 0,
                chance.between(1, 5));
    }
}
