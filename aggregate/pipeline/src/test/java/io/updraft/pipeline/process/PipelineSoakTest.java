package io.updraft.pipeline.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The soak of pipelines: three processes that aggregate from Kafka into Kafka, exactly once, and into a file of CSV each, and all that may
 * happen to them, for as long as {@link PipelineSoakSettings} says. In the end each record is in one window, late, or a dead letter.
 *
 * <pre>
 *   topic in --3 processes, keyed--> topic out       what is read by whoever reads what is committed
 *                    |-------------> out-0..2.csv    on a disk that is full at times
 *                    |-------------> late-0..2, bad-0..2
 * </pre>
 */
@EnabledOnOs(OS.LINUX)
@Tag("long")
final class PipelineSoakTest {

    private static final int PROCESSES = 3;
    /**
     * Longer than the broker is ever stopped. Were the only broker taken for dead, Kafka would leave out the markers that end a transaction,
     * as its partitions have no leader: what its producers have aborted is read as committed then.
     */
    private static final String BROKER_SESSION = "120000";

    private static final Duration POLL = Duration.ofMillis(20);
    private static final long DRAIN_SECONDS = 240;
    private static final long END_SECONDS = 60;
    private static final long JUDGE_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** What is done. Each is done as often as it is here, in an order of the seed's, before it is done again. */
    private enum Fault {
        KILL,
        KILL_AGAIN,
        STOP,
        STOP_BROKER,
        FILL_DISK,
        RESTART
    }

    private final PipelineSoakSettings settings = PipelineSoakSettings.read();
    private final Random random = new Random(settings.seed());
    private final Deque<Fault> next = new ArrayDeque<>();
    private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
    private final java.lang.Process[] slots = new java.lang.Process[PROCESSES];
    private final KafkaTotals totals = new KafkaTotals(Duration.ofSeconds(20));
    private final SoakRecords records = new SoakRecords(totals, settings.seed());
    private int endedThemselves;
    private long begin;
    private KafkaServer kafka;
    private PipelineProcesses processes;
    private TinyDisk disk;

    @TempDir
    private Path directory;

    @Test
    @Timeout(value = 10, unit = TimeUnit.HOURS)
    void shouldPutEachRecordIntoOnePlaceWhateverHappens() throws Exception {
        System.out.println("soak of pipelines, " + settings);
        Files.createDirectories(aside());
        try (TinyDisk tiny = new TinyDisk(directory.resolve("disk"));
                KafkaServer server = KafkaServer.builder()
                        .config("broker.session.timeout.ms", BROKER_SESSION)
                        .start();
                totals) {
            disk = tiny;
            kafka = server;
            kafka.createTopic("in", SoakRecords.PARTITIONS, 1);
            kafka.createTopic("out", 4, 1);
            totals.readFrom(kafka, "out", 4);
            try (PipelineProcesses its = new PipelineProcesses(directory, yaml())) {
                processes = its;
                run();
            }
            List<String> missing = records.notIn(directory.resolve("disk"));
            say("results that are in no file: " + missing.size());
            assertThat(missing).isEmpty();
        }
    }

    private void run() throws Exception {
        begin = System.nanoTime();
        for (int slot = 0; slot < PROCESSES; slot++) {
            start(slot);
        }
        go(() -> !totals.results().isEmpty(), DRAIN_SECONDS);
        if (!disk.isMounted()) {
            say("a disk that can be filled up cannot be mounted here: none will be full");
        }
        double end = seconds() + settings.seconds();
        while (seconds() < end) {
            pause(1 + random.nextDouble() * 2);
            disturb(nextFault());
        }
        totals.flush();
        say("nothing more is sent, nor disturbed");
        List<String> wrong = settle();
        say(records.counts(aside()));
        say(done + ", ended by themselves: " + endedThemselves);
        say(wrong.isEmpty() ? "each record is in one place" : wrong.size() + " wrong: " + first(wrong));
        assertThat(first(wrong)).as("seed " + settings.seed()).isEmpty();
        assertThat(records.sent()).isGreaterThan(1_000);
    }

    private static List<String> first(List<String> all) {
        return all.subList(0, Math.min(20, all.size()));
    }

    private Fault nextFault() {
        if (next.isEmpty()) {
            List<Fault> all = new ArrayList<>(List.of(Fault.values()));
            Collections.shuffle(all, random);
            next.addAll(all);
        }
        return next.remove();
    }

    private void disturb(Fault fault) throws Exception {
        int slot = random.nextInt(PROCESSES);
        done.merge(fault, 1, Integer::sum);
        switch (fault) {
            case KILL, KILL_AGAIN -> {
                say("SIGKILL to process " + slot);
                slots[slot].destroyForcibly().onExit().join();
                processes.forget(slots[slot]);
                start(slot);
            }
            case STOP -> {
                double seconds = 1 + random.nextDouble() * 7;
                say("SIGSTOP to process %d for %.1f s".formatted(slot, seconds));
                signal("STOP", slots[slot]);
                try {
                    pause(seconds);
                } finally {
                    signal("CONT", slots[slot]);
                }
            }
            case STOP_BROKER -> {
                double seconds = 1 + random.nextDouble() * (settings.longestBroker() - 1);
                say("SIGSTOP to the broker for %.1f s".formatted(seconds));
                kafka.broker(1).suspend();
                try {
                    Thread.sleep((long) (seconds * 1_000));
                } finally {
                    kafka.broker(1).resume();
                }
            }
            case FILL_DISK -> fillDisk();
            case RESTART -> restart();
        }
    }

    private void fillDisk() throws Exception {
        if (!disk.isMounted()) {
            return;
        }
        double seconds = 1 + random.nextDouble() * 6;
        say("the disk is full for %.1f s".formatted(seconds));
        disk.fill();
        try {
            pause(seconds);
        } finally {
            disk.empty();
        }
    }

    private void restart() throws Exception {
        say("all processes are asked to end, and are followed by others");
        for (java.lang.Process each : slots) {
            each.getOutputStream().close();
        }
        for (int slot = 0; slot < PROCESSES; slot++) {
            if (!slots[slot].waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                say("process " + slot + " has not ended within " + END_SECONDS + " s");
                slots[slot].destroyForcibly().onExit().join();
            }
            processes.forget(slots[slot]);
            start(slot);
        }
    }

    private void start(int slot) throws IOException {
        slots[slot] = processes.start(Map.of("SOAK_SLOT", Integer.toString(slot)));
    }

    /** As a supervisor does it. */
    private void revive() throws IOException {
        for (int slot = 0; slot < PROCESSES; slot++) {
            if (!slots[slot].isAlive()) {
                endedThemselves++;
                say("process " + slot + " has ended by itself with " + slots[slot].exitValue());
                processes.forget(slots[slot]);
                start(slot);
            }
        }
    }

    private interface Until {
        boolean isReached() throws IOException;
    }

    private void pause(double seconds) throws Exception {
        double end = seconds() + seconds;
        go(() -> seconds() >= end, Long.MAX_VALUE);
    }

    /** Sends and reads meanwhile. */
    private void go(Until until, long limitSeconds) throws Exception {
        double limit = seconds() + limitSeconds;
        while (!until.isReached()) {
            assertThat(seconds()).as(() -> "deadline; " + processes.logs()).isLessThan(limit);
            // What could not be sent while the broker was stopped is not made up for.
            for (int i = 0; i < settings.rate() / 50; i++) {
                records.send(kafka, "in");
            }
            totals.read(POLL);
            revive();
        }
    }

    /** Waits until each record is in one place; what is wrong then, if it never is. */
    private List<String> settle() throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
        long judgeAt = System.nanoTime();
        List<String> wrong = List.of("nothing was looked at");
        while (!wrong.isEmpty() && System.nanoTime() < deadline) {
            totals.sendEnd(kafka, "in", SoakRecords.PARTITIONS);
            totals.read(POLL);
            revive();
            if (System.nanoTime() >= judgeAt) {
                wrong = records.verdict(aside());
                judgeAt = System.nanoTime() + JUDGE_NANOS;
            }
        }
        return wrong;
    }

    private static void signal(String name, java.lang.Process process) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private Path aside() {
        return directory.resolve("aside");
    }

    private double seconds() {
        return (System.nanoTime() - begin) / 1e9;
    }

    private void say(String what) {
        System.out.printf(Locale.ROOT, "%7.1f %s%n", seconds(), what);
    }

    private String yaml() {
        return """
                name: soak
                source:
                  kafka: {bootstrap: "%1$s", topic: in, session: 3s}
                time: {field: at, disorder: 2s, idle: 1h}
                keyed: true
                parallelism: 2
                sinks:
                  - csv: "%2$s/disk/out-${SOAK_SLOT:0}.csv"
                  - kafka: {bootstrap: "%1$s", topic: out, exactly_once: true, format: csv}
                late: {file: "%2$s/aside/late-${SOAK_SLOT:0}", max_size: 1GB, files: 2}
                dead_letters: {file: "%2$s/aside/bad-${SOAK_SLOT:0}", max_size: 1GB, files: 2}
                %3$s""".formatted(kafka.bootstrap(), directory, totals.query());
    }
}
