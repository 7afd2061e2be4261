package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers {@code log}: the newest {@code lines} of this process' log; with a {@code component}, only the entries of it. */
final class LogRequest implements RequestHandler {
    /** The system property with the log file of a process that Updraft has started. */
    static final String FILE_PROPERTY = "updraft.log";

    private static final int MAX_LINES = 5_000;

    /** Time, level, component and task if there are any, thread in brackets. Other lines continue the entry before. */
    private static final Pattern ENTRY = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\S+ +\\w+ +(?:(.+?)/-?\\d+ )?\\[.*");

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        String file = System.getProperty(FILE_PROPERTY);
        if (file == null) {
            throw new IllegalArgumentException("this process has no log file of Updraft's");
        }
        List<String> lines = FileTail.lines(Path.of(file));
        if (request.get("component") instanceof String component) {
            lines = of(component, lines);
        }
        int most = Math.max(1, Math.min(MAX_LINES, request.whole("lines")));
        return JsonObject.of("file", Path.of(file).toAbsolutePath().toString())
                .with("lines", lines.subList(Math.max(0, lines.size() - most), lines.size()));
    }

    static List<String> of(String component, List<String> lines) {
        List<String> chosen = new ArrayList<>();
        boolean within = false;
        for (String line : lines) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                within = component.equals(entry.group(1));
            }
            if (within) {
                chosen.add(line);
            }
        }
        return chosen;
    }
}
