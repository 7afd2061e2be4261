package io.updraft.cluster.soak;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The system properties {@code updraft.soak.*}.
 *
 * @param seconds how long workers are disturbed ({@code updraft.soak.minutes})
 * @param killSeconds seconds between two kills ({@code updraft.soak.kill.seconds})
 * @param transport the transport between the workers ({@code updraft.soak.transport})
 * @param pending messages that each of the three spouts may have in flight ({@code updraft.soak.pending})
 * @param pauseNanos pause between two new numbers of one spout: the short soak runs among other tests, and leaves them the
 *     processor
 * @param seed the seed of the random faults and their times ({@code updraft.soak.seed})
 */
record WorkerSoakSettings(
        double seconds, double killSeconds, String transport, int pending, long pauseNanos, long seed) {
    private static final double SHORT_SECONDS = 30;
    private static final double SHORT_KILL_SECONDS = 7;
    private static final long SHORT_PAUSE_NANOS = 1_000_000;
    private static final double KILL_SECONDS = 20;
    private static final int PENDING = 200;

    static WorkerSoakSettings read() {
        String minutes = System.getProperty("updraft.soak.minutes");
        double seconds = minutes == null ? SHORT_SECONDS : 60 * Double.parseDouble(minutes);
        double kill = minutes == null ? SHORT_KILL_SECONDS : KILL_SECONDS;
        return new WorkerSoakSettings(
                seconds,
                Double.parseDouble(System.getProperty("updraft.soak.kill.seconds", String.valueOf(kill))),
                System.getProperty("updraft.soak.transport", "netty"),
                Integer.getInteger("updraft.soak.pending", PENDING),
                minutes == null ? SHORT_PAUSE_NANOS : 0,
                Long.getLong("updraft.soak.seed", ThreadLocalRandom.current().nextInt(1_000_000)));
    }
}
