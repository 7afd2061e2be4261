package io.updraft.bench;

import io.updraft.bench.report.NumberFormats;
import io.updraft.bench.spec.RunResult;
import io.updraft.bench.spec.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs shapes on all sides, alternating. Every round runs every shape on Updraft and, on request, on a Storm cluster and on
 * the peers. A machine whose speed drifts during the measurement then affects all sides alike.
 */
final class AlternatingRuns {

    private final BenchRequest request;
    private final ShapeRunner runner;
    private final ProgressConsole console;
    private final Map<String, String> leftOut = new LinkedHashMap<>();

    AlternatingRuns(BenchRequest request, ShapeRunner runner, ProgressConsole console) {
        this.request = request;
        this.runner = runner;
        this.console = console;
    }

    /**
     * Runs all shapes on all sides and collects the results.
     *
     * @param shapes the shapes to run; a peer runs all of them with the settings tuned for the first
     * @param peers the runtimes to compare Updraft with
     * @return for each shape in turn the series of each side, one per variant, in the order of {@link BenchSide}
     */
    List<Series> measure(List<Shape> shapes, Set<BenchSide> peers) throws IOException, InterruptedException {
        Map<BenchSide, PeerSettings> settings = tune(shapes.get(0), peers);
        List<Series> all = new ArrayList<>();
        for (Shape shape : shapes) {
            for (BenchSide side : request.workers().sides(peers)) {
                add(all, side, shape, settings.get(side).name());
            }
        }
        for (int round = 1; round <= request.timing().runs(); round++) {
            for (Series series : all) {
                if (!leftOut.containsKey(series.transport())) {
                    run(series, settings.get(series.side()), round);
                }
            }
        }
        all.removeIf(series -> leftOut.containsKey(series.transport()));
        return all;
    }

    private Map<BenchSide, PeerSettings> tune(Shape shape, Set<BenchSide> peers)
            throws IOException, InterruptedException {
        Map<BenchSide, PeerSettings> settings = new EnumMap<>(BenchSide.class);
        for (BenchSide side : request.workers().sides(peers)) {
            settings.put(
                    side,
                    peers.contains(side)
                            ? new PeerTuning(request, runner, console).best(side, shape)
                            : PeerSettings.DEFAULTS);
        }
        return settings;
    }

    /** {@return one sentence for each transport that cannot run on this machine, with the reason} */
    List<String> leftOut() {
        return leftOut.entrySet().stream()
                .map(one -> one.getKey() + " is left out, it cannot run on this machine: " + one.getValue())
                .toList();
    }

    private void add(List<Series> all, BenchSide side, Shape shape, String settings) {
        for (String transport : request.workers().transports(side)) {
            all.add(new Series(side, transport, shape, settings, new ArrayList<>()));
        }
    }

    private void run(Series series, PeerSettings settings, int round) throws IOException, InterruptedException {
        console.begin(String.format(
                "%-45s run %d of %d  ",
                series.title() + ", " + series.runtime(),
                round,
                request.timing().runs()));
        RunResult result = runner.run(series, settings);
        series.runs().add(result);
        if (request.workers().all() && series.side() == BenchSide.UPDRAFT && round == 1 && !result.underWay()) {
            leftOut.put(series.transport(), result.problems().get(0));
        }
        console.say(
                NumberFormats.count(result.messagesPerSecond()) + " messages/s" + (result.valid() ? "" : "  INVALID"));
    }
}
