package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.FieldType;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * What a source knows of a record besides its content. A record of another source has no value.
 *
 * @param kind which attribute
 * @param header the name of the header; null for other attributes
 */
public record RecordAttribute(Kind kind, String header) {

    private static final String HEADER = "header ";

    /** The attributes of records. */
    public enum Kind {
        /** Kafka: the last header of a name. */
        HEADER(null),
        /** Kafka: the key. */
        KEY(null),
        /** Kafka: the index of the partition in its topic. */
        PARTITION(FieldType.LONG),
        /** Kafka: the offset. */
        OFFSET(FieldType.LONG),
        /** Kafka: the topic. */
        TOPIC(FieldType.TEXT),
        /** Kafka: the time of the record. */
        TIMESTAMP(FieldType.TIME),
        /** The path of the file, as the source names it. */
        FILE(FieldType.TEXT),
        /** The number of the record's first line in its file, from 1. */
        LINE(FieldType.LONG);

        /** The type of the values; null for text that is converted to any type. */
        private final FieldType type;

        Kind(FieldType type) {
            this.type = type;
        }

        private String text() {
            return this == HEADER ? "header NAME" : name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Creates an attribute.
     *
     * @throws IllegalArgumentException when a header has no name, or another attribute has one
     */
    public RecordAttribute {
        Objects.requireNonNull(kind, "kind");
        if ((kind == Kind.HEADER) != (header != null && !header.isEmpty())) {
            throw new IllegalArgumentException("a header, and nothing else, needs a name: header NAME");
        }
    }

    /** Creates an attribute that is no header. */
    public RecordAttribute(Kind kind) {
        this(kind, null);
    }

    /**
     * Reads an attribute.
     *
     * @param possible the kinds that the source has
     * @throws IllegalArgumentException when the source does not have the attribute
     */
    public static RecordAttribute parse(String text, List<Kind> possible) {
        String word = text.strip();
        if (word.startsWith(HEADER) && possible.contains(Kind.HEADER)) {
            return new RecordAttribute(
                    Kind.HEADER, word.substring(HEADER.length()).strip());
        }
        return possible.stream()
                .filter(kind -> kind.text().equals(word))
                .findFirst()
                .map(RecordAttribute::new)
                .orElseThrow(() -> unknown(text, possible));
    }

    private static IllegalArgumentException unknown(String text, List<Kind> possible) {
        String others = possible.isEmpty()
                ? "they have only their content"
                : "possible: "
                        + String.join(", ", possible.stream().map(Kind::text).toList());
        return new IllegalArgumentException("'" + text + "' is not known of the records of this source; " + others);
    }

    /** Returns the type of the values if none is stated. */
    public FieldType usualType() {
        return kind.type == null ? FieldType.TEXT : kind.type;
    }

    /** Returns whether the values are texts, which are converted to the type of a column. */
    public boolean isText() {
        return kind.type == null || kind.type == FieldType.TEXT;
    }

    /** Returns whether the values can be of a type. */
    boolean allows(FieldType type) {
        return kind.type == null || kind.type == type;
    }

    @Override
    public String toString() {
        return kind == Kind.HEADER ? HEADER + header : kind.text();
    }
}
