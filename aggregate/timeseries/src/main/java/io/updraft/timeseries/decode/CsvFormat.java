package io.updraft.timeseries.decode;

import java.util.List;
import java.util.Objects;

/**
 * The format of CSV. Quotes follow RFC 4180: a field that begins with a quote ends at the closing quote. It may contain
 * delimiters and line breaks, and contains a quote as two quotes. Records end with LF or CRLF. Empty lines are skipped, and so
 * is a byte order mark at the start of a partition.
 *
 * @param names the names of the columns, from left to right; empty if the first line of each partition names them
 * @param delimiter between columns: one ASCII character, neither a line break nor the quote
 * @param quote around columns that need it: one ASCII character
 * @param nullText the text that means no value: without quotes in a column of texts, with or without them in other columns,
 *     where an empty field means no value too
 */
public record CsvFormat(List<String> names, char delimiter, char quote, String nullText) {

    /** Commas, double quotes, names in the first line of each partition, and an empty field for no value. */
    public static final CsvFormat STANDARD = new CsvFormat(List.of(), ',', '"', "");

    /**
     * Creates a format.
     *
     * @throws IllegalArgumentException when a character cannot be a delimiter or quote
     */
    public CsvFormat {
        names = List.copyOf(names);
        Objects.requireNonNull(nullText, "nullText");
        if (!isMark(delimiter) || !isMark(quote) || delimiter == quote) {
            throw new IllegalArgumentException(
                    "delimiter and quote of CSV must be two different ASCII characters, neither"
                            + " of them a line break, not " + shown(delimiter) + " and " + shown(quote));
        }
    }

    /** Returns whether the first line of each partition names the columns. */
    public boolean hasHeader() {
        return names.isEmpty();
    }

    /** Returns whether at most one column has a name. */
    boolean isUnique(String name) {
        return names.indexOf(name) == names.lastIndexOf(name);
    }

    private static boolean isMark(char c) {
        return c > 0 && c < 0x80 && c != '\n' && c != '\r';
    }

    private static String shown(char c) {
        return c > ' ' && c < 0x7f ? "'" + c + "'" : String.format("U+%04X", (int) c);
    }
}
