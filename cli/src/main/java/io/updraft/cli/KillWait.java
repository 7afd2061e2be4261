package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.cli.view.TerminalLine;
import io.updraft.cli.view.TerminalSize;
import io.updraft.cli.view.ViewMode;
import io.updraft.observe.view.QuantityFormat;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Waits for the end of a topology or pipeline that is being killed, and of its run if that ends, too. */
final class KillWait {
    private static final Duration MARGIN = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 100;
    private static final String CLEAR_LINE = "\r\u001b[K";

    private final ChosenRun run;
    private final String name;
    private final String subject;
    private final PrintWriter err;
    private final long begin = System.nanoTime();
    private long inFlight;
    private boolean ended;
    private boolean shown;

    /** Waits after a run has answered to the order; the progress goes to {@code err} if that is a terminal. */
    KillWait(ChosenRun run, JsonObject answer, PrintWriter err) {
        this.run = run;
        this.name = String.valueOf(answer.get("topology"));
        this.subject = (run.description().command().equals("run") ? "topology '" : "pipeline '") + name + "'";
        this.err = err;
    }

    /** Waits for the limit and a margin. {@return how it has ended: {@code end}, a line, and {@code runEnded}} */
    JsonObject await(Duration limit) throws InterruptedException {
        Duration longest = limit.plus(MARGIN);
        Thread interrupted = new Thread(this::sayThatTheKillGoesOn, "updraft-kill-interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            while (waited().compareTo(longest) < 0) {
                Optional<JsonObject> end = look(limit);
                if (end.isPresent()) {
                    return end.get();
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
            throw new UserError(
                    ExitCode.FAILED,
                    (ended ? "the run of " + subject : subject) + " has not ended after " + longest.toSeconds()
                            + " s; 'updraft stack --pid " + run.description().pid() + "' shows what it does",
                    null);
        } finally {
            Runtime.getRuntime().removeShutdownHook(interrupted);
            clear();
        }
    }

    /** {@return the end; empty while there is none} */
    private Optional<JsonObject> look(Duration limit) {
        if (!run.description().isAlive()) {
            return Optional.of(end(
                    limit, true, ", and its run (process " + run.description().pid() + ") with it"));
        }
        try {
            JsonObject state = ChosenRun.state(run.directory());
            List<JsonObject> topologies = ChosenRun.topologies(state);
            Optional<JsonObject> topology = topologies.stream()
                    .filter(each -> name.equals(each.get("name")))
                    .findFirst();
            topology.ifPresent(each -> see(each, limit));
            ended = topology.isEmpty();
            if (ended && !Boolean.TRUE.equals(state.get("ending"))) {
                return Optional.of(end(
                        limit, false, "; its run (process " + run.description().pid() + ") is still running"));
            }
        } catch (IOException e) {
            // The run closes its socket before it ends.
        }
        return Optional.empty();
    }

    private JsonObject end(Duration limit, boolean ofRun, String consequence) {
        long lost = waited().compareTo(limit) < 0 ? 0 : inFlight;
        String loss = lost == 0
                ? ""
                : "; " + QuantityFormat.whole(lost)
                        + " tuple trees were still in flight: they are lost unless the spouts'"
                        + " source replays them";
        return JsonObject.of("end", subject + " has ended after " + seconds() + " s" + consequence + loss)
                .with("runEnded", ofRun)
                .with("lost", lost);
    }

    private Duration waited() {
        return Duration.ofNanos(System.nanoTime() - begin);
    }

    private double seconds() {
        return waited().toMillis() / 100 / 10.0;
    }

    private void see(JsonObject topology, Duration limit) {
        inFlight = topology.get("inFlight") instanceof Number trees ? trees.longValue() : 0;
        show(topology, limit);
    }

    /** Draws what is left to do in place, if there is a terminal. */
    private void show(JsonObject topology, Duration limit) {
        if (ViewMode.isTerminal()) {
            Object text = topology.get("text");
            String left = text == null ? topology.get("inFlight") + " tuple trees in flight" : String.valueOf(text);
            String line = subject + ": " + left + ", " + seconds() + " s of " + limit.toSeconds() + " s";
            err.print(CLEAR_LINE + TerminalLine.fit(line, TerminalSize.ask().columns() - 1));
            err.flush();
            shown = true;
        }
    }

    private void clear() {
        if (shown) {
            err.print(CLEAR_LINE);
            err.flush();
        }
    }

    private void sayThatTheKillGoesOn() {
        clear();
        err.println("updraft: no longer waiting; " + subject + " is still being killed");
        err.flush();
    }
}
