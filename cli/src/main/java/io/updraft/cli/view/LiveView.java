package io.updraft.cli.view;

import io.updraft.base.text.VisibleText;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.observe.signal.Signals;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneId;
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

    private final TerminalBlock screen;
    private final ZoneId zone;
    private final NewErrorLines errors;
    private final ScheduledExecutorService refresher =
            Executors.newSingleThreadScheduledExecutor(DaemonThreads.factory("updraft-view-refresh"));
    private TerminalSize size = TerminalSize.ask();
    private List<TopologySample> last = List.of();

    LiveView(boolean colours, ZoneId zone) {
        this.zone = zone;
        errors = new NewErrorLines(zone);
        screen = new TerminalBlock(System.out, colours, size.columns());
        screen.captureOutput();
        refresher.scheduleWithFixedDelay(screen::refresh, REFRESH_MILLIS, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        Signals.handle("WINCH", () -> refresher.execute(this::resize));
    }

    private synchronized void resize() {
        size = TerminalSize.ask();
        draw();
    }

    @Override
    public synchronized void show(List<TopologySample> samples) {
        samples.forEach(sample -> errors.of(sample).forEach(this::print));
        last = samples;
        draw();
    }

    private void draw() {
        screen.draw(LiveFrame.drawAll(last, size.columns(), size.rows() - 1, zone), size.columns());
    }

    @Override
    public void print(String line) {
        System.err.println(VisibleText.of(line));
    }

    @Override
    public synchronized void close() {
        Signals.handle("WINCH", null);
        refresher.shutdownNow();
        screen.close();
    }
}
