package io.updraft.cli.view;

import io.updraft.cli.terminal.AboveBlockStream;
import io.updraft.cli.terminal.TerminalBlock;
import io.updraft.cli.terminal.TerminalLine;
import io.updraft.cli.terminal.TerminalSize;
import io.updraft.cluster.signal.Signals;
import java.io.PrintStream;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Redraws the state of the topologies in place, as a block. While the view is open, {@code System.out} and {@code System.err}
 * write above the block.
 */
final class LiveView implements TopologyView {
    private static final long REFRESH_MILLIS = 100;

    private final PrintStream realOut = System.out;
    private final PrintStream realErr = System.err;
    private final TerminalBlock screen;
    private final PrintStream out;
    private final PrintStream err;
    private final ZoneId zone;
    private final NewErrorLines errors;
    private final ScheduledExecutorService refresher = Executors.newSingleThreadScheduledExecutor(LiveView::daemon);
    private TerminalSize size = TerminalSize.ask();
    private List<TopologySample> last = List.of();

    LiveView(boolean colours, ZoneId zone) {
        this.zone = zone;
        errors = new NewErrorLines(zone);
        screen = new TerminalBlock(realOut, colours, size.columns());
        out = new PrintStream(new AboveBlockStream(screen), true);
        err = new PrintStream(new AboveBlockStream(screen), true);
        System.setOut(out);
        System.setErr(err);
        refresher.scheduleWithFixedDelay(screen::refresh, REFRESH_MILLIS, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        Signals.handle("WINCH", () -> refresher.execute(this::resize));
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "updraft-view-refresh");
        thread.setDaemon(true);
        return thread;
    }

    private synchronized void resize() {
        size = TerminalSize.ask();
        draw();
    }

    @Override
    public synchronized void show(List<TopologySample> samples) {
        samples.forEach(sample -> errors.of(sample).forEach(err::println));
        last = samples;
        draw();
    }

    private void draw() {
        int rows = Math.max(2, (size.rows() - 1) / Math.max(1, last.size()));
        List<TerminalLine> lines = new ArrayList<>();
        for (TopologySample sample : last) {
            lines.addAll(new LiveFrame(size.columns(), rows, zone).draw(sample));
        }
        screen.draw(lines.stream().limit(Math.max(1, size.rows() - 1L)).toList(), size.columns());
    }

    @Override
    public void print(String line) {
        err.println(line);
    }

    @Override
    public synchronized void close() {
        Signals.handle("WINCH", null);
        refresher.shutdownNow();
        out.close();
        err.close();
        screen.close();
        System.setOut(realOut);
        System.setErr(realErr);
    }
}
