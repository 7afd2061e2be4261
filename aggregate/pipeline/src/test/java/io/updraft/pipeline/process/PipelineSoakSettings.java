package io.updraft.pipeline.process;

import java.util.concurrent.ThreadLocalRandom;

/**
 * What the system properties {@code updraft.soak.*} say.
 *
 * @param seconds how long the pipeline is disturbed ({@code updraft.soak.minutes})
 * @param rate records a second ({@code updraft.soak.rate})
 * @param longestBroker seconds for which the broker is stopped at most; more than 30 outlast a transaction
 * @param seed of what is done, and when ({@code updraft.soak.seed})
 */
record PipelineSoakSettings(double seconds, int rate, double longestBroker, long seed) {

    private static final double SHORT_SECONDS = 40;
    private static final double SHORT_BROKER = 5;
    private static final double LONG_BROKER = 45;
    private static final int RATE = 500;

    static PipelineSoakSettings read() {
        String minutes = System.getProperty("updraft.soak.minutes");
        return new PipelineSoakSettings(
                minutes == null ? SHORT_SECONDS : 60 * Double.parseDouble(minutes),
                Integer.getInteger("updraft.soak.rate", RATE),
                minutes == null ? SHORT_BROKER : LONG_BROKER,
                Long.getLong("updraft.soak.seed", ThreadLocalRandom.current().nextInt(1_000_000)));
    }
}
