package io.updraft.pipeline.sql;

import io.updraft.storm.yaml.Mistakes;
import io.updraft.storm.yaml.Position;
import io.updraft.storm.yaml.YamlNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes nodes of a description that stand for parts of a query: a mistake in a node is one at its place in the query. */
final class YamlNodes {

    private static final Pattern IN_EXPRESSION =
            Pattern.compile("(?:'(?s:.*)': )?(.*), at character ([0-9]+) of: (.*)", Pattern.DOTALL);

    /** Words of descriptions, and those of queries. */
    private static final List<Map.Entry<String, String>> WORDS = List.of(
            Map.entry("'group_by'", "GROUP BY"),
            Map.entry("'slide' must divide 'every'", "the first interval of HOP must divide the second"),
            Map.entry("'zone': ", ""),
            Map.entry("'every': ", ""),
            Map.entry("'slide': ", ""),
            Map.entry("'limit': ", ""),
            Map.entry("'rows': ", ""),
            Map.entry("'limit' must", "LIMIT must"),
            Map.entry("'rows' must", "the number of rows must"));

    private final String file;
    private final String text;

    /**
     * Creates nodes.
     *
     * @param file the name of the query in messages
     * @param text the query
     */
    YamlNodes(String file, String text) {
        this.file = file;
        this.text = text;
    }

    /** Returns the place of a character of the query. */
    Position place(int index) {
        String before = text.substring(0, Math.min(index, text.length()));
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        return new Position(file, line, before.length() - before.lastIndexOf('\n'));
    }

    /** Returns a mistake in the words of a query, and at the character of it that is wrong. */
    Mistakes.Mistake exact(Mistakes.Mistake mistake) {
        if (!mistake.where().file().equals(file)) {
            return mistake;
        }
        String message = mistake.message();
        for (Map.Entry<String, String> word : WORDS) {
            message = message.replace(word.getKey(), word.getValue());
        }
        Matcher inExpression = IN_EXPRESSION.matcher(message);
        if (inExpression.matches()) {
            // The expression may be the argument of a function at this place.
            int start = text.indexOf(inExpression.group(3), index(mistake.where()));
            if (start >= 0) {
                return new Mistakes.Mistake(
                        place(start + Integer.parseInt(inExpression.group(2)) - 1), inExpression.group(1));
            }
        }
        return new Mistakes.Mistake(mistake.where(), message);
    }

    private int index(Position where) {
        int start = 0;
        for (int line = 1; line < where.line(); line++) {
            start = text.indexOf('\n', start) + 1;
        }
        return start + where.column() - 1;
    }

    /** Returns a text that is not changed by what the environment has. */
    YamlNode text(String value, int index) {
        return YamlNode.scalar(place(index), YamlNode.Kind.QUOTED, value.replace("${", "$${"));
    }

    YamlNode list(List<YamlNode> items, int index) {
        return new YamlNode(place(index), YamlNode.Kind.LIST, null, items, List.of(), null);
    }

    /** A mapping to which entries are added. */
    final class Mapping {

        private final int index;
        private final List<YamlNode.Entry> entries = new ArrayList<>();

        Mapping(int index) {
            this.index = index;
        }

        Mapping(YamlNode node, int index) {
            this.index = index;
            if (node != null) {
                entries.addAll(node.entries());
            }
        }

        Mapping put(String key, YamlNode value) {
            remove(key);
            entries.add(new YamlNode.Entry(YamlNode.scalar(value.where(), YamlNode.Kind.QUOTED, key), value));
            return this;
        }

        void remove(String key) {
            entries.removeIf(entry -> key.equals(entry.key().text()));
        }

        YamlNode get(String key) {
            return entries.stream()
                    .filter(entry -> key.equals(entry.key().text()))
                    .map(YamlNode.Entry::value)
                    .findFirst()
                    .orElse(null);
        }

        boolean isEmpty() {
            return entries.isEmpty();
        }

        YamlNode node() {
            return YamlNode.mapping(place(index), List.copyOf(entries));
        }
    }
}
