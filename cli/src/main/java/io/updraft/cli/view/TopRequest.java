package io.updraft.cli.view;

import io.updraft.cli.terminal.TerminalLine;
import io.updraft.observe.inspection.ProcessRequests;
import io.updraft.observe.inspection.RequestHandler;
import io.updraft.observe.view.SampleJson;
import io.updraft.observe.view.TopologySample;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Answers {@code top}: draws the latest samples for a terminal of {@code width} and {@code height}, and gives the figures. */
public final class TopRequest implements RequestHandler {
    private static final int MAX_WIDTH = 1_000;
    private static final int MAX_HEIGHT = 1_000;

    private final Supplier<List<TopologySample>> samples;

    /** Draws these samples. */
    public TopRequest(Supplier<List<TopologySample>> samples) {
        this.samples = samples;
    }

    @Override
    public Map<String, Object> answer(Map<String, Object> request) {
        Object topology = request.get("topology");
        List<TopologySample> shown = samples.get().stream()
                .filter(sample -> topology == null || topology.equals(sample.name()))
                .toList();
        int width = Math.max(1, Math.min(MAX_WIDTH, ProcessRequests.number(request, "width")));
        int height = Math.max(1, Math.min(MAX_HEIGHT, ProcessRequests.number(request, "height")));
        List<TerminalLine> frame = LiveFrame.drawAll(shown, width, height, ZoneId.systemDefault());
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("frame", frame.stream().map(TopRequest::line).toList());
        answer.put("topologies", shown.stream().map(SampleJson::figures).toList());
        return answer;
    }

    private static Map<String, Object> line(TerminalLine line) {
        return Map.of("text", line.text(), "style", line.style().name());
    }
}
