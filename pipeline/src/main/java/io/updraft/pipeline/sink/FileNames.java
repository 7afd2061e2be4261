package io.updraft.pipeline.sink;

import io.updraft.timeseries.aggregate.Window;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes paths of files of a template with parts in braces. */
final class FileNames {

    private static final Pattern PART = Pattern.compile("\\{([^{}]*)\\}");
    private static final List<String> KNOWN = List.of("window_start", "window_end", "unit");
    /** ISO 8601 in its basic form: sorts by time, and has no character that a file system minds. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

    private final String template;

    FileNames(String template) {
        this.template = template;
        Matcher part = PART.matcher(template);
        while (part.find()) {
            if (!KNOWN.contains(part.group(1))) {
                throw new IllegalArgumentException("path " + template + ": " + part.group()
                        + " is not known; there are {window_start}, {window_end} and {unit}");
            }
        }
        if (template.isBlank() || template.endsWith("/")) {
            throw new IllegalArgumentException("path " + template + ": a file needs a name");
        }
    }

    /** The innermost folder that all files are in. */
    Path folder() {
        int part = template.indexOf('{');
        String fixed = part < 0 ? template : template.substring(0, part);
        String folder = fixed.substring(0, fixed.lastIndexOf('/') + 1);
        return folder.isEmpty() ? Path.of(".") : Path.of(folder);
    }

    /** The file of a window and a unit; the unit may be null, and the window too where not each has its own. */
    Path path(Window window, String unit) {
        String named = unit == null || template.contains("{unit}") ? template : withUnit(template);
        return Path.of(
                PART.matcher(named).replaceAll(part -> Matcher.quoteReplacement(value(part.group(1), window, unit))));
    }

    private static String withUnit(String template) {
        int dot = template.lastIndexOf('.');
        int end = dot > template.lastIndexOf('/') + 1 ? dot : template.length();
        return template.substring(0, end) + "-{unit}" + template.substring(end);
    }

    private static String value(String part, Window window, String unit) {
        return switch (part) {
            case "window_start" -> time(window.start());
            case "window_end" -> time(window.end());
            default -> unit == null ? "all" : safe(unit);
        };
    }

    private static String time(long millis) {
        long rest = Math.floorMod(millis, 1000L);
        String text = TIME.format(Instant.ofEpochMilli(millis));
        return rest == 0 ? text + "Z" : text + String.format(".%03dZ", rest);
    }

    /** A unit's name may be a path, or have whatever else is in a topic's name: no two units get the same. */
    private static String safe(String unit) {
        StringBuilder safe = new StringBuilder();
        for (char c : unit.toCharArray()) {
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.');
            safe.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return safe.toString();
    }
}
