package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Answers {@code log}: the newest {@code lines} of this process' log; with a {@code component}, only the entries about it. No entry
 * names its component. An entry counts as one of a component if its logger is named like a class of the component, if its thread is
 * the component's own, or if its text names the component in quotes or with a task.
 */
final class LogRequest implements RequestHandler {
    /** The system property with the log file of a process that Updraft has started. */
    static final String FILE_PROPERTY = "updraft.log";

    private static final int MAX_LINES = 5_000;

    /** Time, level, thread in brackets, logger, text. Other lines continue the entry before. */
    private static final Pattern ENTRY = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\S+ +\\w+ +\\[(.*?)] (\\S+) (.*)");

    private final ThreadOwners owners;

    LogRequest(ThreadOwners owners) {
        this.owners = owners;
    }

    @Override
    public JsonObject answer(JsonObject request) throws IOException {
        String file = System.getProperty(FILE_PROPERTY);
        if (file == null) {
            throw new IllegalArgumentException("this process has no log file of Updraft's");
        }
        List<String> lines = FileTail.lines(Path.of(file));
        if (request.get("component") instanceof String component) {
            lines = of(component, classNames(component), lines);
        }
        int most = Math.max(1, Math.min(MAX_LINES, request.whole("lines")));
        return JsonObject.of("file", Path.of(file).toAbsolutePath().toString())
                .with("lines", lines.subList(Math.max(0, lines.size() - most), lines.size()));
    }

    private Set<String> classNames(String component) {
        return owners.componentClasses().getOrDefault(component, Set.of()).stream()
                .map(LogRequest::shortened)
                .collect(Collectors.toSet());
    }

    /** Returns the last two parts of a class's name, as the log has them. */
    private static String shortened(String name) {
        int last = name.lastIndexOf('.');
        return name.substring(name.lastIndexOf('.', last - 1) + 1);
    }

    static List<String> of(String component, Set<String> loggers, List<String> lines) {
        List<String> chosen = new ArrayList<>();
        boolean within = false;
        for (String line : lines) {
            Matcher entry = ENTRY.matcher(line);
            if (entry.matches()) {
                within = entry.group(1).startsWith("updraft-" + component + "-")
                        || loggers.contains(shortened(entry.group(2)))
                        || entry.group(3).contains("'" + component + "'")
                        || entry.group(3).contains(component + "[");
            }
            if (within) {
                chosen.add(line);
            }
        }
        return chosen;
    }
}
