package io.updraft.cli;

import io.updraft.base.json.Json;
import io.updraft.base.testing.Await;
import io.updraft.observe.metrics.ExpositionParser;
import io.updraft.observe.metrics.ExpositionParser.Series;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A run of the command line, as an operator watches it: the lines in its terminal, what a second terminal answers, and its
 * figures. The page docs/operating.md says for each failure within how many seconds its line comes. That time is measured and
 * printed; four times as much is allowed, for busy machines.
 */
final class ObservedRun implements AutoCloseable {
    private static final Path PAGE = Markdown.ROOT.resolve("docs/operating.md");
    private static final Pattern METRICS = Pattern.compile("updraft: metrics: (http://localhost:\\d+/metrics)");
    private static final Pattern CONSOLE = Pattern.compile("updraft: console: (http://localhost:\\d+/)");
    private static final int TOLERANCE = 4;
    private static final long LIMIT_NANOS = 120_000_000_000L;

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path directory;
    private final UpdraftProcess updraft;
    private long begin;

    private ObservedRun(Path directory, UpdraftProcess updraft) {
        this.directory = directory;
        this.updraft = updraft;
        failsNow();
    }

    /** Starts {@code updraft run} with a program. The arguments before {@code --} are options, those after it the program's. */
    static ObservedRun run(Path directory, Class<?> program, String... args) throws Exception {
        List<String> all = new ArrayList<>(List.of("run", "--view=plain", "--metrics-port=0", "--ui-port=0"));
        List<String> given = List.of(args);
        int options = given.contains("--") ? given.indexOf("--") : given.size();
        all.addAll(given.subList(0, options));
        all.add(UpdraftProcess.jarOf(program, directory).toString());
        all.add(program.getName());
        all.addAll(given.subList(Math.min(options + 1, given.size()), given.size()));
        return new ObservedRun(directory, UpdraftProcess.start(directory, all.toArray(String[]::new)));
    }

    /** Starts {@code updraft aggregate} with a description, behind another command. */
    static ObservedRun aggregate(Path directory, List<String> before, String yaml) throws Exception {
        Path file = Files.writeString(directory.resolve("pipeline.yaml"), yaml);
        return new ObservedRun(
                directory,
                UpdraftProcess.startBehind(
                        before,
                        directory,
                        "aggregate",
                        "--view=plain",
                        "--metrics-port=0",
                        "--ui-port=0",
                        file.toString()));
    }

    UpdraftProcess process() {
        return updraft;
    }

    /** Notes that the failure begins. */
    void failsNow() {
        begin = System.nanoTime();
    }

    /** Waits until the program says that its failure begins, or a worker does so for the program. */
    void awaitFailure(String said) throws Exception {
        await(
                LIMIT_NANOS,
                () -> Stream.of(updraft.out(), updraft.err())
                        .flatMap(List::stream)
                        .toList(),
                Pattern.quote(said) + "$");
        failsNow();
    }

    /**
     * Waits until a line in the terminal matches.
     *
     * @param failure the row of the page
     * @return the line
     */
    String awaitLine(String failure, String regex) throws Exception {
        double documented = documentedSeconds(failure);
        String line = await((long) (TOLERANCE * documented * 1e9), () -> updraft.err(), regex);
        System.out.printf(
                "sign of %s: %.1f s, documented %.0f s: %s%n",
                failure, (System.nanoTime() - begin) / 1e9, documented, line);
        return line;
    }

    /** Asks from a second terminal until a line of the answer matches. */
    void awaitAnswer(String regex, String... command) throws Exception {
        await(LIMIT_NANOS, () -> UpdraftProcess.run(directory, command).out(), regex);
    }

    /**
     * Asks the console until it has a remark of a kind.
     *
     * @param kind the kind of the remark, a pattern
     * @param component the component that it must be about; null for any
     * @param regex what its text must contain
     * @return the overview of the console with the remark
     */
    Map<?, ?> awaitRemark(String kind, String component, String regex) throws Exception {
        Pattern pattern = Pattern.compile(regex);
        return awaitConsole(
                "a remark of kind " + kind + " on " + component + " like " + regex,
                overview -> remarks(overview)
                        .anyMatch(remark -> ("" + remark.get("kind")).matches(kind)
                                && (component == null || component.equals(remark.get("component")))
                                && pattern.matcher("" + remark.get("text")).find()));
    }

    /** Asks the console until its overview, as text, contains some text. */
    void awaitConsole(String text) throws Exception {
        awaitConsole(text, overview -> overview.toString().contains(text));
    }

    private Map<?, ?> awaitConsole(String what, Predicate<Map<?, ?>> wanted) throws Exception {
        String url = await(LIMIT_NANOS, () -> updraft.err(), CONSOLE.pattern()).replaceAll(CONSOLE.pattern(), "$1");
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "console/api/overview")).build();
        AtomicReference<Map<?, ?>> overview = new AtomicReference<>();
        Await.until(
                "the console has " + what,
                Duration.ofNanos(LIMIT_NANOS),
                () -> {
                    overview.set(Json.readObject(
                            client.send(request, BodyHandlers.ofString()).body()));
                    return wanted.test(overview.get());
                },
                overview::get);
        return overview.get();
    }

    /** {@return the remarks on the topologies in an overview of the console} */
    static Stream<Map<?, ?>> remarks(Map<?, ?> overview) {
        return ((List<?>) overview.get("topologies"))
                .stream()
                        .flatMap(topology -> ((List<?>) ((Map<?, ?>) topology).get("remarks")).stream())
                        .map(remark -> (Map<?, ?>) remark);
    }

    /** Waits until the topology has a trouble of a kind in the figures, too. */
    void awaitTrouble(String topology, String kind) throws Exception {
        awaitFigure("updraft_topology_troubles", value -> value == 1, "topology", topology, "kind", kind);
    }

    /** Reads the figures until one has a wanted value. */
    void awaitFigure(String name, DoublePredicate wanted, String... labels) throws Exception {
        String url = await(LIMIT_NANOS, () -> updraft.err(), METRICS.pattern()).replaceAll(METRICS.pattern(), "$1");
        Series series = new Series(name, labels(labels));
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
        Map<Series, Double> figures = new HashMap<>();
        Await.until(
                series + " has the value",
                Duration.ofNanos(LIMIT_NANOS),
                () -> {
                    figures.clear();
                    figures.putAll(ExpositionParser.parse(
                            client.send(request, BodyHandlers.ofString()).body(), false));
                    return figures.containsKey(series) && wanted.test(figures.get(series));
                },
                () -> figures);
    }

    private static Map<String, String> labels(String... labels) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < labels.length; i += 2) {
            map.put(labels[i], labels[i + 1]);
        }
        return map;
    }

    private static String await(long nanos, Callable<List<String>> source, String regex) throws Exception {
        Pattern pattern = Pattern.compile(regex);
        List<String> lines = new ArrayList<>();
        AtomicReference<String> found = new AtomicReference<>();
        Await.until(
                "a line matches " + regex,
                Duration.ofNanos(nanos),
                () -> {
                    lines.clear();
                    lines.addAll(source.call());
                    lines.stream()
                            .filter(line -> pattern.matcher(line).find())
                            .findFirst()
                            .ifPresent(found::set);
                    return found.get() != null;
                },
                () -> "; there are only\n" + String.join("\n", lines));
        return found.get();
    }

    /** {@return the number of seconds in the last cell of the failure's row} */
    private static double documentedSeconds(String failure) throws Exception {
        try (Stream<String> lines = Files.lines(PAGE)) {
            String row = lines.filter(line -> line.startsWith("| " + failure + " |"))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError(PAGE + " has no row '" + failure + "'"));
            String[] cells = row.split("\\|");
            return Double.parseDouble(cells[cells.length - 1].replaceAll("^.*?(\\d+) s\\s*$", "$1"));
        }
    }

    /** Kills the run and its workers, also a suspended one. */
    @Override
    public void close() {
        List<ProcessHandle> workers = updraft.workers();
        ProcessHandle.of(updraft.pid()).ifPresent(ObservedRun::kill);
        workers.forEach(ObservedRun::kill);
    }

    private static void kill(ProcessHandle process) {
        process.destroyForcibly();
        process.onExit().join();
    }
}
