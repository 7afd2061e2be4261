package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordChunk;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import io.updraft.timeseries.record.SchemaField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Decodes the first records of a source with the decoders of a pipeline, to find the names and values of their fields. Records
 * that a decoder refuses are left out. One thread only.
 */
public final class SampleDecoder {

    /** Limits the work for records that have data as names. */
    private static final int MAX_NAMES = 1000;

    private static final int MAX_DEPTH = 8;

    private final RecordFormat format;
    private final CsvFormat csv;
    private final String explode;
    private final byte[] records;
    /** The texts of the fields that were decoded, by path. */
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    private final Set<String> names = new LinkedHashSet<>();

    /**
     * Creates a decoder and finds the names.
     *
     * @param csv the format of CSV; null for JSON
     * @param explode JSON: the path of the value whose elements give a row each; null for one row for each record
     * @param records the first records, as the bytes of a unit from its start
     */
    public SampleDecoder(CsvFormat csv, String explode, byte[] records) {
        this.format = csv == null ? RecordFormat.JSON : RecordFormat.CSV;
        this.csv = csv;
        this.explode = explode;
        this.records = records;
        if (csv == null) {
            findMembers();
        } else {
            names.addAll(csv.hasHeader() ? header(records, csv) : csv.names());
            decode(names.stream().filter(csv::isUnique).toList());
        }
    }

    /**
     * Returns the names of the columns in the first line of CSV.
     *
     * @param csv the delimiter and the quote
     * @throws IllegalArgumentException when the line cannot be decoded
     */
    public static List<String> header(byte[] line, CsvFormat csv) {
        CsvScanner scanner = new CsvScanner(csv);
        scanner.set(line, line.length, true);
        try {
            return scanner.names(CsvScanner.afterBom(line, line.length));
        } catch (BadRecordException e) {
            throw new IllegalArgumentException("the first line cannot name the columns: " + e.getMessage(), e);
        }
    }

    /** Returns the paths of the fields with single values, in the order of their first appearance. */
    public List<String> names() {
        return List.copyOf(names);
    }

    /** Returns the values at a path as text, as they stand in the records; empty if there are none. */
    public List<String> values(String path) {
        if (!values.containsKey(path)) {
            decode(List.of(path));
        }
        return values.getOrDefault(path, List.of());
    }

    /** Returns whether a column takes a value. */
    public static boolean accepts(DecodedColumn column, String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        RecordRow row = new RecordRow(new Schema(List.of(new SchemaField(column.name(), column.type()))));
        try {
            new ColumnWriter(column, 0).text(row, utf8, 0, utf8.length);
            return row.has(0);
        } catch (BadRecordException e) {
            return false;
        }
    }

    /**
     * A member of the record or of a member.
     *
     * @param path its path, with each name in quotes
     * @param written its path as a user writes it
     * @param prefix the start of the paths of its members as a user writes them
     */
    private record Member(String path, String written, String prefix) {

        private static final Pattern PLAIN = Pattern.compile("[^.\\[\\]\"]+(\\.[^.\\[\\]\"]+)*");

        /** Returns a member of this one; null if no path can contain its name. */
        Member member(String name) {
            String quote = name.contains("\"]") ? "'" : "\"";
            if (name.contains(quote + "]")) {
                return null;
            }
            String step = "[" + quote + name + quote + "]";
            boolean plain = PLAIN.matcher(name).matches() && !name.equals("@");
            if (prefix.isEmpty()) {
                return new Member(step, name, plain ? name : step);
            }
            String inner = prefix + (plain ? "." + name : step);
            return new Member(path + step, inner, inner);
        }
    }

    private void findMembers() {
        Found keys = keys("@");
        for (String name : new LinkedHashSet<>(keys.values.get(0))) {
            find(new Member("", "", "").member(name), 1, keys.bad);
        }
    }

    /** Adds a member, or its members, to the names. The records that are bad without it are no reason against it. */
    private void find(Member member, int depth, int bad) {
        if (member == null || names.size() >= MAX_NAMES) {
            return;
        }
        Found found = decode(List.of(member.written()));
        if (found == null) {
            return;
        }
        if (found.bad == bad || !found.values.get(0).isEmpty()) {
            names.add(member.written());
        }
        if (found.bad > bad && depth < MAX_DEPTH) {
            for (String name : new LinkedHashSet<>(keys(member.path()).values.get(0))) {
                find(member.member(name), depth + 1, bad);
            }
        }
    }

    private Found keys(String path) {
        return run(DecodeSpec.exploding(path, DecodedColumn.of("key", FieldType.TEXT, "@key")));
    }

    /** Decodes the values at paths. Returns null if a path is invalid: the pipeline reports it. */
    private Found decode(Collection<String> paths) {
        List<DecodedColumn> columns = new ArrayList<>();
        paths.forEach(path -> columns.add(DecodedColumn.of(path, FieldType.TEXT)));
        try {
            Found found = run(new DecodeSpec(format, csv, explode, columns, List.of(), null));
            int index = 0;
            for (String path : paths) {
                values.put(path, found.values.get(index++));
            }
            return found;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private Found run(DecodeSpec spec) {
        Found found = new Found(spec.columns().size());
        Decoders.create(spec).decode(new RecordChunk("", 0, records, records.length), found);
        return found;
    }

    /** The values of each column. */
    private static final class Found implements RowHandler {

        private final List<List<String>> values = new ArrayList<>();
        private int bad;

        Found(int columns) {
            for (int i = 0; i < columns; i++) {
                values.add(new ArrayList<>());
            }
        }

        @Override
        public void row(RecordRow row, long position, long time) {
            for (int slot = 0; slot < values.size(); slot++) {
                if (row.has(slot)) {
                    values.get(slot).add((String) row.value(slot));
                }
            }
        }

        @Override
        public void bad(long position, byte[] bytes, int from, int length, String reason) {
            bad++;
        }
    }
}
