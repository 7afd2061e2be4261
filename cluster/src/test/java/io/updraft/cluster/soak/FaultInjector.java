package io.updraft.cluster.soak;

import io.updraft.cluster.soak.ObservedProcesses.Life;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Kills a random worker at intervals, and sometimes stops one for a while in between. */
final class FaultInjector {
    /** A third of the kills is followed by a stop. */
    private static final int STOP_ONE_IN = 3;

    /** Seconds; a worker that is silent for three is noticed, so some are and some are not. */
    private static final double LEAST_STOP = 1;

    private static final double MOST_STOP = 6;

    private final ObservedProcesses processes;
    private final double every;
    private final SplittableRandom random;
    private double killAt;
    private double stopAt = Double.MAX_VALUE;
    private double goOnAt = Double.MAX_VALUE;
    private int kills;
    private int stops;

    FaultInjector(ObservedProcesses processes, double every, long seed) {
        this.processes = processes;
        this.every = every;
        random = new SplittableRandom(seed);
        killAt = every;
    }

    int kills() {
        return kills;
    }

    int stops() {
        return stops;
    }

    /** Does what is due. */
    void act(double now) throws Exception {
        List<Life> living = processes.look(now);
        if (now >= goOnAt) {
            processes.goOn();
            goOnAt = Double.MAX_VALUE;
        }
        if (now >= stopAt && !living.isEmpty()) {
            stop(now, living.get(random.nextInt(living.size())));
        }
        if (now >= killAt && !living.isEmpty()) {
            kill(now, living.get(random.nextInt(living.size())));
        }
    }

    private void stop(double now, Life life) throws Exception {
        double seconds = LEAST_STOP + random.nextDouble() * (MOST_STOP - LEAST_STOP);
        processes.stop(life);
        stops++;
        stopAt = Double.MAX_VALUE;
        goOnAt = now + seconds;
        System.out.printf(Locale.ROOT, "%6.0f SIGSTOP to worker %d for %.1f s%n", now, life.worker(), seconds);
    }

    private void kill(double now, Life life) throws Exception {
        processes.kill(life, now);
        kills++;
        killAt += every;
        stopAt = random.nextInt(STOP_ONE_IN) == 0 ? now + every / 2 : Double.MAX_VALUE;
        System.out.printf(
                Locale.ROOT, "%6.0f SIGKILL to worker %d, aged %.0f s%n", now, life.worker(), now - life.since());
    }
}
