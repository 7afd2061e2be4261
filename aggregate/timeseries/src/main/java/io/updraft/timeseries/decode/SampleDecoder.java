package io.updraft.timeseries.decode;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import io.updraft.timeseries.record.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
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

    private final DecodeSpec.Format format;
    private final CsvFormat csv;
    private final String explode;
    private final byte[] records;
    /** The texts of the fields that were decoded, by path. */
    private final Map<String, List<String>> values = new LinkedHashMap<>();

    /** The names in the order of their appearance; null if they were not needed yet. */
    private Set<String> names;

    private int allowed = MAX_NAMES;

    /**
     * Creates a decoder.
     *
     * @param csv the format of CSV; null for JSON
     * @param explode JSON: the path of the value whose elements give a row each; null for one row for each record
     * @param records the first records, as the bytes of a partition from its start
     * @throws IllegalArgumentException when the header of CSV cannot be decoded
     */
    public SampleDecoder(CsvFormat csv, String explode, byte[] records) {
        this.format = csv == null ? DecodeSpec.Format.JSON : DecodeSpec.Format.CSV;
        this.csv = csv;
        this.explode = explode;
        this.records = records;
        if (csv != null) {
            names = new LinkedHashSet<>(csv.hasHeader() ? header(records, csv) : csv.names());
        }
    }

    /**
     * Returns the names of the columns in the first line of CSV.
     *
     * @param csv the delimiter and the quote
     * @throws IllegalArgumentException when the line cannot be decoded
     */
    public static List<String> header(byte[] line, CsvFormat csv) {
        CsvScanner scanner = new CsvScanner(csv, null);
        scanner.set(line, line.length, true);
        try {
            return scanner.names(CsvScanner.afterBom(line, line.length));
        } catch (RejectedRecordException e) {
            throw new IllegalArgumentException("the first line cannot name the columns: " + e.getMessage(), e);
        }
    }

    /** Returns the paths of the fields with single values, in the order of their first appearance. */
    public List<String> names() {
        if (names == null) {
            names = new LinkedHashSet<>();
            findMembers();
        }
        return List.copyOf(names);
    }

    /** Returns the values at a path as text, as they stand in the records; empty if there are none. */
    public List<String> values(String path) {
        if (csv != null && values.isEmpty()) {
            decode(names.stream().filter(csv::isUnique).toList());
        }
        if (!values.containsKey(path) && isValid(path)) {
            decode(List.of(path));
        }
        return values.getOrDefault(path, List.of());
    }

    /** Returns whether a column takes a value. */
    public static boolean accepts(DecodedColumn column, String value) {
        return !accepted(column, List.of(value)).isEmpty();
    }

    /** Returns the values that a column takes. */
    public static List<String> accepted(DecodedColumn column, List<String> values) {
        RecordRow row = new RecordRow(new Schema(List.of(column.field())));
        ColumnWriter writer = new ColumnWriter(column, 0);
        List<String> accepted = new ArrayList<>();
        for (String value : values) {
            byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
            row.clear();
            try {
                writer.text(row, utf8, 0, utf8.length);
                if (row.has(0)) {
                    accepted.add(value);
                }
            } catch (RejectedRecordException e) {
                // The value is not added.
            }
        }
        return accepted;
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
        names.addAll(members(new Member("", "", ""), 1));
    }

    /** Returns the paths of the members of a member, and of their members. */
    private List<String> members(Member parent, int depth) {
        List<Member> members = keys(parent.path()).stream()
                .map(parent::member)
                .filter(member -> member != null && isValid(member.written()))
                .toList();
        Found found = decode(members.stream().map(Member::written).toList());
        List<String> paths = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            if (!found.containers.get(i) || !found.values.get(i).isEmpty()) {
                paths.add(members.get(i).written());
            }
            if (found.containers.get(i) && depth < MAX_DEPTH) {
                paths.addAll(members(members.get(i), depth + 1));
            }
        }
        return paths;
    }

    private List<String> keys(String path) {
        Found keys =
                run(DecodeSpec.exploding(path.isEmpty() ? "@" : path, DecodedColumn.of("key", FieldType.TEXT, "@key")));
        List<String> found =
                keys.values.get(0).stream().distinct().limit(allowed).toList();
        allowed -= found.size();
        return found;
    }

    /** Returns whether a path is valid. The pipeline reports one that is not. */
    private boolean isValid(String path) {
        try {
            spec(List.of(path));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private DecodeSpec spec(List<String> paths) {
        List<DecodedColumn> columns = paths.stream()
                .map(path -> DecodedColumn.of(path, FieldType.TEXT))
                .toList();
        return new DecodeSpec(format, csv, explode, columns, List.of(), null);
    }

    private Found decode(List<String> paths) {
        if (paths.isEmpty()) {
            return new Found(0);
        }
        Found found = run(spec(paths));
        for (int i = 0; i < paths.size(); i++) {
            values.put(paths.get(i), found.values.get(i));
        }
        return found;
    }

    private Found run(DecodeSpec spec) {
        Found found = new Found(spec.columns().size());
        Decoder decoder = format == DecodeSpec.Format.JSON
                ? new JsonDecoder(
                        spec,
                        new RowCompleter(spec),
                        KeyColumns.none(spec),
                        (column, container) -> found.containers.set(column.slot()))
                : Decoder.create(spec);
        decoder.decode(new Chunk("", 0, records, records.length), found);
        return found;
    }

    /** The values of each column. */
    private static final class Found implements RowHandler {

        private final List<List<String>> values = new ArrayList<>();
        /** The slots of the columns that found an object or array. */
        private final BitSet containers = new BitSet();

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
        public void rejected(long position, byte[] bytes, int from, int length, String reason) {
            // The run reports it.
        }
    }
}
