package io.updraft.cli.view;

import io.updraft.base.json.JsonObject;
import io.updraft.console.operator.RunTopologies;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.FiguresView;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneId;
import java.util.List;

/** Answers {@code top}: draws the latest samples for a terminal of {@code width} and {@code height}, and gives the figures. */
public final class TopRequest implements RequestHandler {
    private static final int MAX_WIDTH = 1_000;
    private static final int MAX_HEIGHT = 1_000;

    private final RunTopologies all;

    /** Draws the topologies of a run. */
    public TopRequest(RunTopologies all) {
        this.all = all;
    }

    @Override
    public JsonObject answer(JsonObject request) {
        List<TopologySample> shown = all.samples(request);
        int width = Math.max(1, Math.min(MAX_WIDTH, request.whole("width")));
        int height = Math.max(1, Math.min(MAX_HEIGHT, request.whole("height")));
        List<TerminalLine> frame = LiveFrame.drawAll(shown, width, height, ZoneId.systemDefault());
        return JsonObject.of("frame", frame.stream().map(TopRequest::line).toList())
                .with("topologies", shown.stream().map(FiguresView::of).toList());
    }

    private static JsonObject line(TerminalLine line) {
        return JsonObject.of("text", line.text()).with("style", line.style().name());
    }
}
