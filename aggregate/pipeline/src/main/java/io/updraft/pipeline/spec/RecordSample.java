package io.updraft.pipeline.spec;

import io.updraft.pipeline.line.CsvLine;
import io.updraft.timeseries.decode.CsvFormat;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** The first records of a source as values by field name, from which the types of the fields are guessed. */
final class RecordSample {

    private static final int MAX_RECORDS = 200;

    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private int records;

    private RecordSample() {}

    static RecordSample none() {
        return new RecordSample();
    }

    /** Reads records of CSV whose column names are known. Skips the first line if it is a header. */
    static RecordSample csv(byte[] head, CsvFormat format, boolean header) {
        RecordSample sample = new RecordSample();
        format.names().forEach(name -> sample.values.put(name, new ArrayList<>()));
        int from = header ? end(head, 0, format.quote()) : 0;
        while (from < head.length && sample.records < MAX_RECORDS) {
            int to = end(head, from, format.quote());
            if (to == head.length && head[to - 1] != '\n' && sample.records > 0) {
                break;
            }
            sample.addCsv(CsvLine.split(head, from, to, format.delimiter(), format.quote()), format);
            from = to;
        }
        return sample;
    }

    /** Returns the column names in the first line. */
    static List<String> header(byte[] head, char delimiter, char quote) {
        return CsvLine.split(head, 0, end(head, 0, quote), delimiter, quote);
    }

    // A line feed between quotes does not end a record.
    private static int end(byte[] head, int from, char quote) {
        boolean quoted = false;
        for (int i = from; i < head.length; i++) {
            if (head[i] == quote) {
                quoted = !quoted;
            } else if (head[i] == '\n' && !quoted) {
                return i + 1;
            }
        }
        return head.length;
    }

    private void addCsv(List<String> fields, CsvFormat format) {
        records++;
        for (int i = 0; i < Math.min(fields.size(), format.names().size()); i++) {
            if (!fields.get(i).equals(format.nullText()) && !fields.get(i).isEmpty()) {
                values.get(format.names().get(i)).add(fields.get(i));
            }
        }
    }

    /** Reads lines of JSON with the YAML reader: JSON is YAML too. */
    static RecordSample json(byte[] head) {
        RecordSample sample = new RecordSample();
        Load load = new Load(LoadSettings.builder().build());
        String text = new String(head, StandardCharsets.UTF_8);
        int end = head.length < 64 * 1024 ? text.length() : text.lastIndexOf('\n') + 1;
        for (String line : text.substring(0, end).split("\n")) {
            if (sample.records == MAX_RECORDS) {
                break;
            }
            if (line.startsWith("{")) {
                sample.addJson(load, line);
            }
        }
        return sample;
    }

    private void addJson(Load load, String line) {
        try {
            addValue("", load.loadFromString(line));
            records++;
        } catch (YamlEngineException | StackOverflowError e) {
            // The decoder will report it as a bad record; the sample leaves it out.
        }
    }

    private void addValue(String path, Object value) {
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, inner) -> addValue(path.isEmpty() ? String.valueOf(name) : path + "." + name, inner));
        } else if (value != null && !(value instanceof List)) {
            values.computeIfAbsent(path, p -> new ArrayList<>()).add(String.valueOf(value));
        }
    }

    int records() {
        return records;
    }

    /** Returns the names of the fields, in the order of their first appearance. */
    List<String> names() {
        return List.copyOf(values.keySet());
    }

    /** Returns the values of a field; empty if there are none. */
    List<String> values(String name) {
        return values.getOrDefault(name, List.of());
    }
}
