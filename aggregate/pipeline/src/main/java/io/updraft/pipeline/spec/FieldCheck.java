package io.updraft.pipeline.spec;

import io.updraft.base.text.Spelling;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlMap;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DerivedColumn;
import io.updraft.timeseries.decode.RowExpressions;
import io.updraft.timeseries.expression.ExpressionException;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that the fields which a description names exist. */
record FieldCheck(Mistakes mistakes, Schema schema, DecodeSpec decode, DecodeReader decodes) {

    /** Returns a check over the rows of a pipeline. Returns null and reports it if {@code flatten} is wrong. */
    static FieldCheck of(YamlMap spec, DecodeSpec decode, DecodeReader decodes) {
        Mistakes mistakes = spec.mistakes();
        try {
            return new FieldCheck(mistakes, decode.schema(), decode, decodes);
        } catch (ExpressionException e) {
            if (!decodes.mistaken.isEmpty()) {
                return null; // The cause may be one of these fields, whose mistakes are reported already.
            }
            addMistakes(spec, decode, decodes);
        } catch (IllegalArgumentException e) {
            mistakes.add(spec.at("flatten"), e.getMessage());
        }
        return null;
    }

    /** Reports all expressions with mistakes, except those that only use a field whose expression has one. */
    private static void addMistakes(YamlMap spec, DecodeSpec decode, DecodeReader decodes) {
        Set<String> mistaken = new HashSet<>();
        for (RowExpressions.Mistake mistake : RowExpressions.of(decode).mistakes()) {
            DerivedColumn column = mistake.column();
            ExpressionException cause = mistake.cause();
            if (Expressions.names(cause.expression()).stream().noneMatch(mistaken::contains)) {
                YamlNode where =
                        column == null ? spec.map("flatten").at("filter") : decodes.definitionOf(column.name());
                spec.mistakes().add(where, cause.getMessage() + hint(cause.expression(), decodes.guessedKeys));
            }
            if (column != null) {
                mistaken.add(column.name());
            }
        }
    }

    /** Returns what to do if the cause may be a field that is text because nothing else is said of it. */
    private static String hint(String expression, Set<String> guessedKeys) {
        String texts = Expressions.names(expression).stream()
                .filter(guessedKeys::contains)
                .collect(Collectors.joining(", "));
        return texts.isEmpty()
                ? ""
                : "; a field that is grouped by or only counted is text unless its type is stated: state the type of "
                        + texts + " in 'flatten: fields'";
    }

    /** Returns the field. Returns null if there is none, and reports that unless it is reported already. */
    Schema.Field find(YamlNode where, String name) {
        if (schema.has(name)) {
            return schema.fields().get(schema.slot(name));
        }
        if (decodes.mistaken.contains(name)) {
            return null;
        }
        mistakes.add(where, "there is no field '" + name + "'" + Spelling.instead(name, available()));
        return null;
    }

    private Set<String> available() {
        Set<String> names = new LinkedHashSet<>(decodes.available(decodes.known()));
        schema.fields().forEach(field -> names.add(field.name()));
        if (decode.columns().equals(List.of(DecodeReader.NONE))) {
            names.remove(DecodeReader.NONE.name());
        }
        return names;
    }

    /** Checks the fields of a key: they exist, and none is a floating-point number, which cannot {@code serve}. */
    void checkKeys(YamlNode where, List<String> names, String serve) {
        for (String name : names) {
            Schema.Field field = find(where, name);
            if (field != null && field.type() == FieldType.DOUBLE) {
                mistakes.add(
                        where,
                        name + " is a floating-point number, which cannot " + serve
                                + "; make it text or long in 'flatten: fields'");
            }
        }
    }

    /**
     * The fields that a pipeline uses besides those in expressions.
     *
     * @param keys the fields in {@code group_by} or in the key
     * @param counted the fields whose values are only counted or compared for equality
     * @param summed the fields whose values must be numbers
     * @param all all fields, these included
     * @param time the field with the time of a record; null if there is none
     */
    record Use(Set<String> keys, Set<String> counted, Set<String> summed, Set<String> all, String time) {}
}
