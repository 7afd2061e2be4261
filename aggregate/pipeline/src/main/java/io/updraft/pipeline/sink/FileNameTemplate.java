package io.updraft.pipeline.sink;

import io.updraft.timeseries.query.TimeWindow;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the paths of files from a template with parts in braces. */
final class FileNameTemplate {

    private static final Pattern PART = Pattern.compile("\\{([^{}]*)\\}");
    private static final List<String> KNOWN = List.of("window_start", "window_end", "unit");
    /** ISO 8601 in its basic form: sorts by time, and all its characters are valid in file names. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss").withZone(ZoneOffset.UTC);

    private final String template;

    FileNameTemplate(String template) {
        this.template = template;
        Matcher part = PART.matcher(template);
        while (part.find()) {
            if (!KNOWN.contains(part.group(1))) {
                throw new IllegalArgumentException("path " + template + ": " + part.group()
                        + " is unknown; use {window_start}, {window_end} or {unit}");
            }
        }
        if (template.isBlank() || template.endsWith("/")) {
            throw new IllegalArgumentException("path " + template + ": the file name is missing");
        }
    }

    /** Returns the innermost folder that contains all files. */
    Path folder() {
        int part = template.indexOf('{');
        String fixed = part < 0 ? template : template.substring(0, part);
        String folder = fixed.substring(0, fixed.lastIndexOf('/') + 1);
        return folder.isEmpty() ? Path.of(".") : Path.of(folder);
    }

    /** Returns the path for a window and a share. The share may be null; the window too, if no part names it. */
    Path path(TimeWindow window, String share) {
        String named = share == null || template.contains("{unit}") ? template : withShare(template);
        return Path.of(
                PART.matcher(named).replaceAll(part -> Matcher.quoteReplacement(value(part.group(1), window, share))));
    }

    private static String withShare(String template) {
        int dot = template.lastIndexOf('.');
        int end = dot > template.lastIndexOf('/') + 1 ? dot : template.length();
        return template.substring(0, end) + "-{unit}" + template.substring(end);
    }

    private static String value(String part, TimeWindow window, String share) {
        return switch (part) {
            case "window_start" -> time(window.start());
            case "window_end" -> time(window.end());
            default -> share == null ? "all" : safe(share);
        };
    }

    private static String time(long millis) {
        long rest = Math.floorMod(millis, 1000L);
        String text = TIME.format(Instant.ofEpochMilli(millis));
        return rest == 0 ? text + "Z" : text + String.format(".%03dZ", rest);
    }

    /** Escapes the name of a share, which may be a path or a topic. Different shares get different names. */
    private static String safe(String share) {
        StringBuilder safe = new StringBuilder();
        for (char c : share.toCharArray()) {
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.');
            safe.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return safe.toString();
    }
}
