package io.updraft.pipeline.sql;

import io.updraft.base.text.Spelling;
import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.YamlNode;
import io.updraft.timeseries.expression.SelectStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The tables of queries: files, and sources that a description names. Makes the parts of a pipeline that say what is read. */
record SqlSources(YamlNode described, YamlNodes nodes, Mistakes mistakes) {

    private static final Map<String, String> READERS = Map.of(
            "read_csv",
            "csv",
            "read_csv_auto",
            "csv",
            "read_json",
            "json",
            "read_json_auto",
            "json",
            "read_ndjson",
            "json");

    /** The keys of the format of CSV by the names that DuckDB has for them. */
    private static final Map<String, String> OPTIONS = Map.of(
            "delim", "delimiter",
            "delimiter", "delimiter",
            "sep", "delimiter",
            "quote", "quote",
            "nullstr", "null",
            "header", "header");

    private static final Set<String> NOT_OF_A_SOURCE = Set.of("aggregate", "route", "sinks", "name");

    /** Returns the sections of a pipeline that reads a table; null and a mistake if there is no such table. */
    YamlNodes.Mapping sections(SelectStatement.From from) {
        if (from.isFile()) {
            return file(from);
        }
        SelectStatement.Part name = from.name();
        YamlNodes.Mapping sources = nodes.new Mapping(described, name.from());
        YamlNode source = sources.get(name.text());
        if (source == null) {
            List<String> names = new ArrayList<>();
            if (described != null) {
                described.entries().forEach(entry -> names.add(entry.key().text()));
            }
            mistakes.add(
                    nodes.place(name.from()),
                    "there is no source " + name.text()
                            + (names.isEmpty()
                                    ? ": write a file in quotes, such as FROM 'flights.csv', or describe the source in a"
                                            + " file for --sources"
                                    : Spelling.instead(name.text(), names)));
            return null;
        }
        source.entries().stream()
                .filter(entry -> NOT_OF_A_SOURCE.contains(entry.key().text()))
                .forEach(entry -> mistakes.add(
                        entry.key(),
                        "'" + entry.key().text()
                                + "' does not belong to a source: the query says what is done with it"));
        return nodes.new Mapping(source, name.from());
    }

    private YamlNodes.Mapping file(SelectStatement.From from) {
        int place = from.name().from();
        String path = from.name().text();
        YamlNodes.Mapping sections = nodes.new Mapping(place);
        boolean isStdin = path.equals("-") || path.equals("/dev/stdin");
        YamlNode paths = nodes.list(List.of(nodes.text(path, place)), place);
        sections.put(
                "source",
                isStdin
                        ? nodes.text("stdin", place)
                        : nodes.new Mapping(place)
                                .put(
                                        "file",
                                        nodes.new Mapping(place)
                                                .put("path", paths)
                                                .node())
                                .node());
        SelectStatement.Part function = from.function();
        if (function == null) {
            return sections;
        }
        String format = READERS.get(function.text().toLowerCase(Locale.ROOT));
        if (format == null) {
            mistakes.add(
                    nodes.place(function.from()),
                    "there is no table function " + function.text()
                            + ": write the file in quotes, or read_csv(...), read_json(...), TUMBLE(...), HOP(...)");
            return null;
        }
        YamlNodes.Mapping formats = nodes.new Mapping(function.from()).put("type", nodes.text(format, function.from()));
        from.options().forEach((name, value) -> option(format, name, value, formats));
        return sections.put("format", formats.node());
    }

    private void option(String format, String name, SelectStatement.Part value, YamlNodes.Mapping formats) {
        String key = OPTIONS.get(name);
        if (key == null || format.equals("json")) {
            mistakes.add(
                    nodes.place(value.from()),
                    "there is no option " + name
                            + (format.equals("json")
                                    ? " of JSON"
                                    : ": there is delim, header, nullstr and quote; types are guessed, or described in a"
                                            + " file for --sources"));
            return;
        }
        formats.put(
                key,
                nodes.text(
                        value.text().toLowerCase(Locale.ROOT).matches("true|false")
                                ? value.text().toLowerCase(Locale.ROOT)
                                : value.text(),
                        value.from()));
    }
}
