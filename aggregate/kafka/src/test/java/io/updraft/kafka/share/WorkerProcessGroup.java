package io.updraft.kafka.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Child JVMs that run {@link CopyWorker}. Tests kill and suspend them. */
final class WorkerProcessGroup implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(5);

    record Event(long millis, String kind, int share, long epoch) {}

    final class Worker {
        final Path log;
        final Process process;

        private Worker(Path log, Process process) {
            this.log = log;
            this.process = process;
        }

        void kill() {
            process.destroyForcibly().onExit().join();
        }

        /** Asks it to leave, and waits until it has. */
        void leave() throws IOException, InterruptedException {
            process.getOutputStream().close();
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("does not leave\n" + text());
            }
        }

        void signal(String signal) throws IOException, InterruptedException {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }

        List<Event> events() {
            List<Event> events = new ArrayList<>();
            for (String line : text().split("\n")) {
                String[] words = line.split(" ");
                if (words.length == 4 && (words[1].equals("own") || words[1].equals("end"))) {
                    events.add(new Event(
                            Long.parseLong(words[0]), words[1], Integer.parseInt(words[2]), Long.parseLong(words[3])));
                }
            }
            return events;
        }

        String text() {
            try {
                return Files.readString(log);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Shares owned as far as it has reported. */
        TreeSet<Integer> shares() {
            Map<Integer, Boolean> shares = new TreeMap<>();
            events().forEach(event -> shares.put(event.share, event.kind.equals("own")));
            TreeSet<Integer> owned = new TreeSet<>();
            shares.forEach((share, is) -> {
                if (is) {
                    owned.add(share);
                }
            });
            return owned;
        }
    }

    private final Path directory;
    private final List<String> arguments;
    final List<Worker> all = new ArrayList<>();

    WorkerProcessGroup(String... arguments) throws IOException {
        this.directory = Files.createTempDirectory("updraft-units-");
        this.arguments = Arrays.asList(arguments);
    }

    Worker start() throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                // Most of their life is their start: classes are taken as they are.
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-Xmx128m",
                "-Dlog4j2.configurationFile=" + System.getProperty("log4j2.configurationFile", ""),
                "-cp",
                System.getProperty("java.class.path"),
                CopyWorker.class.getName()));
        command.addAll(arguments);
        Path log = directory.resolve("worker-" + all.size() + ".log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Worker worker = new Worker(log, process);
        all.add(worker);
        return worker;
    }

    /** Waits until these, and only these, own all shares, in equal shares. */
    void awaitBalance(int shares, List<Worker> workers) {
        await("balance of " + shares + " shares", () -> {
            TreeSet<Integer> seen = new TreeSet<>();
            int sum = 0;
            for (Worker worker : workers) {
                TreeSet<Integer> workerShares = worker.shares();
                if (workerShares.size() < shares / workers.size()
                        || workerShares.size() > -Math.floorDiv(-shares, workers.size())) {
                    return false;
                }
                sum += workerShares.size();
                seen.addAll(workerShares);
            }
            return seen.size() == shares && sum == shares;
        });
    }

    /** Of each share one ownership has ended, by the clock of this host, before the next begins, and epochs grow. */
    void checkIntervals() {
        TreeMap<Integer, List<Event>> byShare = new TreeMap<>();
        all.forEach(worker -> worker.events()
                .forEach(event -> byShare.computeIfAbsent(event.share, share -> new ArrayList<>())
                        .add(event)));
        byShare.forEach((share, events) -> {
            events.sort(Comparator.comparingLong(Event::epoch).thenComparing(Event::kind, Comparator.reverseOrder()));
            for (int i = 1; i < events.size(); i++) {
                Event before = events.get(i - 1);
                Event after = events.get(i);
                assertThat(after.millis).as("%s before %s", before, after).isGreaterThanOrEqualTo(before.millis);
                assertThat(after.kind).as("%s then %s", before, after).isNotEqualTo(before.kind);
            }
        });
    }

    void await(String what, BooleanSupplier condition) {
        Await.until(what, LIMIT, condition::getAsBoolean, this::logs);
    }

    private String logs() {
        StringBuilder logs = new StringBuilder();
        all.forEach(worker -> logs.append("\n--- ")
                .append(worker.log.getFileName())
                .append('\n')
                .append(worker.text()));
        return logs.toString();
    }

    @Override
    public void close() throws IOException {
        all.forEach(Worker::kill);
        try (var files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
