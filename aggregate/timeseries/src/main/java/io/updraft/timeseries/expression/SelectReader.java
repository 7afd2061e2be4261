package io.updraft.timeseries.expression;

import io.updraft.timeseries.expression.SelectStatement.From;
import io.updraft.timeseries.expression.SelectStatement.Item;
import io.updraft.timeseries.expression.SelectStatement.OrderItem;
import io.updraft.timeseries.expression.SelectStatement.Part;
import io.updraft.timeseries.expression.SelectStatement.Qualify;
import io.updraft.timeseries.expression.SelectStatement.Window;
import io.updraft.timeseries.expression.SqlText.Kind;
import io.updraft.timeseries.expression.SqlText.Range;
import io.updraft.timeseries.expression.SqlText.Token;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads a SELECT statement. For one statement. */
final class SelectReader {

    private static final List<String> CLAUSES =
            List.of("select", "from", "where", "group", "having", "qualify", "order", "limit");

    /** Words that begin what is not supported, and what to write instead. */
    private static final Map<String, String> UNSUPPORTED = Map.ofEntries(
            Map.entry("join", "joins are not supported: join the files before, for example with DuckDB"),
            Map.entry(
                    "union",
                    "'union' is not supported: name several files as 'a.csv', or with a pattern such as '*.csv'"),
            Map.entry("intersect", "'intersect' is not supported"),
            Map.entry("except", "'except' is not supported"),
            Map.entry("with", "'with' is not supported: write one SELECT"),
            Map.entry("window", "'window' is not supported: windows of time are written as FROM TUMBLE(...)"),
            Map.entry("offset", "'offset' is not supported: leave it out"),
            Map.entry("fetch", "'fetch' is not supported: write LIMIT"),
            Map.entry("sample", "'sample' is not supported: write WHERE random conditions on a column"),
            Map.entry("insert", "'insert' is not supported: name where results go with --to"),
            Map.entry("create", "'create' is not supported: describe sources in a file for --sources"),
            Map.entry("copy", "'copy' is not supported: name where results go with --to"));

    private final String text;
    private final List<Token> tokens;

    SelectReader(String text) {
        this.text = text;
        tokens = SqlText.ofStatement(text);
    }

    private ExpressionException wrong(Token at, String message) {
        return new ExpressionException(text, at.from(), message);
    }

    private ExpressionException wrongAt(int index, String message) {
        int position = index < tokens.size() ? tokens.get(index).from() : text.length();
        return new ExpressionException(text, position, message);
    }

    SelectStatement statement() {
        Map<String, Range> clauses = clauses();
        Range from = clauses.get("from");
        if (from == null) {
            throw wrongAt(tokens.size(), "SELECT needs FROM: a file in quotes, such as FROM 'flights.csv'");
        }
        Range select = clauses.get("select");
        if (is(select.from(), "distinct")) {
            throw wrongAt(
                    select.from(), "SELECT DISTINCT is not supported: write SELECT a, count(*) FROM ... GROUP BY a");
        }
        return new SelectStatement(
                SqlText.separated(tokens, select).stream().map(this::item).toList(),
                new FromReader(from).read(),
                part(clauses.get("where"), "a condition"),
                parts(clauses.get("group")),
                part(clauses.get("having"), "a condition"),
                clauses.containsKey("qualify") ? qualify(clauses.get("qualify")) : null,
                orders(clauses.get("order")),
                part(clauses.get("limit"), "a number"));
    }

    private boolean is(int index, String word) {
        return index < tokens.size() && tokens.get(index).isWord(word);
    }

    /** Returns the tokens of each clause, without the words that begin it. */
    private Map<String, Range> clauses() {
        Map<String, Range> clauses = new LinkedHashMap<>();
        if (!is(0, "select")) {
            String word = tokens.get(0).content().toLowerCase(Locale.ROOT);
            throw wrongAt(0, UNSUPPORTED.getOrDefault(word, "a query begins with SELECT"));
        }
        String open = null;
        int start = 0;
        int depth = 0;
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            if (token.is("(") && is(i + 1, "select")) {
                throw wrongAt(
                        i + 1,
                        "a query inside of another one is not supported: write the inner one to a file"
                                + " first, with --to");
            }
            String clause = depth == 0 ? clause(i) : null;
            if (clause != null) {
                if (open != null) {
                    clauses.put(open, new Range(start, i));
                }
                checkOrder(clause, clauses, token);
                open = clause;
                start = i + (clause.equals("group") || clause.equals("order") ? 2 : 1);
            }
        }
        clauses.put(open, new Range(start, tokens.size()));
        if (depth > 0) {
            int unclosed = tokens.size() - 1;
            while (!tokens.get(unclosed).is("(") || SqlText.close(tokens, unclosed) >= 0) {
                unclosed--;
            }
            throw wrongAt(unclosed, "no ) closes this parenthesis");
        }
        return clauses;
    }

    private String clause(int i) {
        Token token = tokens.get(i);
        if (token.kind() != Kind.NAME || i > 0 && (is(i - 1, "as") || is(i - 1, "distinct"))) {
            return null;
        }
        String word = token.content().toLowerCase(Locale.ROOT);
        boolean isOther = UNSUPPORTED.containsKey(word) && i > 0 && isBeforeOther(word, i + 1);
        if (isOther) {
            throw wrong(token, UNSUPPORTED.get(word));
        }
        boolean needsBy = word.equals("group") || word.equals("order");
        return CLAUSES.contains(word) && (!needsBy || is(i + 1, "by")) ? word : null;
    }

    /** Returns whether a word that is not supported is meant as such, and not the name of a column. */
    private boolean isBeforeOther(String word, int next) {
        if (next >= tokens.size()) {
            return false;
        }
        Token token = tokens.get(next);
        boolean isOperand = token.kind() != Kind.SIGN;
        return switch (word) {
            case "union", "intersect", "except" -> is(next, "select") || is(next, "all");
            default -> isOperand && !CLAUSES.contains(token.content().toLowerCase(Locale.ROOT));
        };
    }

    private void checkOrder(String clause, Map<String, Range> before, Token token) {
        int place = CLAUSES.indexOf(clause);
        for (String other : before.keySet()) {
            if (other.equals(clause)) {
                throw wrong(token, token.content() + " comes twice");
            }
            if (CLAUSES.indexOf(other) > place) {
                throw wrong(
                        token,
                        token.content() + " comes before " + other.toUpperCase(Locale.ROOT)
                                + ": the order is SELECT, FROM, WHERE, GROUP BY, HAVING, QUALIFY, ORDER BY, LIMIT");
            }
        }
    }

    private Part part(Range range, String expected) {
        if (range == null) {
            return null;
        }
        if (range.isEmpty()) {
            throw wrongAt(range.from(), "expected " + expected + " before this");
        }
        int from = tokens.get(range.from()).from();
        return new Part(text.substring(from, tokens.get(range.to() - 1).to()), from);
    }

    private List<Part> parts(Range range) {
        return range == null
                ? List.of()
                : SqlText.separated(tokens, range).stream()
                        .map(each -> part(each, "an expression"))
                        .toList();
    }

    private Item item(Range range) {
        int last = range.to() - 1;
        if (last - 1 >= range.from() && is(last - 1, "as") && isName(last)) {
            return new Item(part(new Range(range.from(), last - 1), "a column"), name(last));
        }
        boolean isUnit = last - 2 >= range.from() && is(last - 2, "interval");
        boolean isAlias = last > range.from() && isName(last) && endsOperand(last - 1) && !isUnit;
        return isAlias
                ? new Item(part(new Range(range.from(), last), "a column"), name(last))
                : new Item(part(range, "a column"), null);
    }

    private boolean isName(int index) {
        Token token = tokens.get(index);
        boolean isWord = token.kind() == Kind.NAME
                && !token.isWord("end")
                && !token.isWord("null")
                && !token.isWord("true")
                && !token.isWord("false");
        return isWord || token.kind() == Kind.QUOTED_NAME;
    }

    private boolean endsOperand(int index) {
        Token token = tokens.get(index);
        return token.is(")")
                || token.kind() == Kind.NUMBER
                || token.kind() == Kind.TEXT
                || token.kind() == Kind.QUOTED_NAME
                || token.isWord("end")
                || token.kind() == Kind.NAME && !token.isOperator();
    }

    private Part name(int index) {
        Token token = tokens.get(index);
        return new Part(token.content(), token.from());
    }

    private List<OrderItem> orders(Range range) {
        return range == null
                ? List.of()
                : SqlText.separated(tokens, range).stream().map(this::order).toList();
    }

    private OrderItem order(Range range) {
        int to = range.to();
        if (to - 2 > range.from() && is(to - 2, "nulls")) {
            if (!is(to - 1, "last")) {
                throw wrongAt(to - 2, "'nulls first' is not supported: rows without a value come last");
            }
            to -= 2;
        }
        boolean isDescending = to > range.from() && is(to - 1, "desc");
        boolean hasWord = isDescending || to > range.from() && is(to - 1, "asc");
        return new OrderItem(part(new Range(range.from(), hasWord ? to - 1 : to), "an expression"), isDescending);
    }

    private Qualify qualify(Range range) {
        int i = range.from();
        boolean isRowNumber = is(i, "row_number")
                && range.to() - i > 6
                && tokens.get(i + 1).is("(")
                && tokens.get(i + 2).is(")")
                && is(i + 3, "over")
                && tokens.get(i + 4).is("(");
        int close = isRowNumber ? SqlText.close(tokens, i + 4) : -1;
        boolean isLimit = close > 0
                && close + 3 == range.to()
                && (tokens.get(close + 1).is("<=") || tokens.get(close + 1).is("="))
                && tokens.get(close + 2).kind() == Kind.NUMBER;
        if (!isLimit) {
            throw wrongAt(i, "QUALIFY is written as QUALIFY row_number() OVER (PARTITION BY a ORDER BY n DESC) <= 3");
        }
        if (tokens.get(close + 1).is("=") && !tokens.get(close + 2).content().equals("1")) {
            throw wrongAt(close + 1, "expected <= before the number of rows");
        }
        int order = i + 5;
        while (order < close && !(is(order, "order") && is(order + 1, "by"))) {
            order++;
        }
        boolean hasPartition = is(i + 5, "partition") && is(i + 6, "by");
        if (order == close || !hasPartition && order > i + 5) {
            throw wrongAt(i + 5, "expected PARTITION BY and ORDER BY in these parentheses");
        }
        List<Part> per = hasPartition ? parts(new Range(i + 7, order)) : List.of();
        return new Qualify(per, orders(new Range(order + 2, close)), name(close + 2));
    }

    /** Reads the clause FROM. */
    private final class FromReader {

        private final Range range;

        FromReader(Range range) {
            this.range = range;
        }

        From read() {
            Range table = range;
            if (table.isEmpty()) {
                throw wrongAt(table.from(), "expected a file in quotes, such as 'flights.csv', after FROM");
            }
            boolean isTable = is(table.from(), "table")
                    && table.from() + 1 < table.to()
                    && tokens.get(table.from() + 1).is("(");
            if (isTable) {
                table = new Range(table.from() + 2, closing(table.from() + 1, table));
            }
            return windowed(table);
        }

        /** Returns the index of the parenthesis that closes another one and ends a range. */
        private int closing(int open, Range table) {
            int close = SqlText.close(tokens, open);
            if (close != table.to() - 1) {
                throw wrongAt(close + 1, more(close + 1));
            }
            return close;
        }

        private String more(int index) {
            return tokens.get(index).is(",")
                    ? "several tables are not supported: name several files with a pattern such as '*.csv'"
                    : "a table cannot have another name here: leave this out";
        }

        private From windowed(Range table) {
            String word = tokens.get(table.from()).content().toLowerCase(Locale.ROOT);
            boolean isCall = table.from() + 1 < table.to()
                    && tokens.get(table.from() + 1).is("(");
            if (isCall && (word.equals("session") || word.equals("cumulate"))) {
                throw wrongAt(
                        table.from(),
                        tokens.get(table.from()).content() + " is not supported: windows are TUMBLE or HOP");
            }
            if (!isCall || !word.equals("tumble") && !word.equals("hop")) {
                return table(table, null);
            }
            boolean isHop = word.equals("hop");
            int close = closing(table.from() + 1, table);
            List<Range> arguments = SqlText.separated(tokens, new Range(table.from() + 2, close));
            int least = isHop ? 4 : 3;
            if (arguments.size() < least || arguments.size() > least + 1) {
                throw wrongAt(
                        table.from(),
                        isHop
                                ? "HOP is written as HOP(TABLE t, DESCRIPTOR(time), INTERVAL '5' MINUTE, INTERVAL '1'"
                                        + " HOUR): first how often windows begin, then their length"
                                : "TUMBLE is written as TUMBLE(TABLE t, DESCRIPTOR(time), INTERVAL '1' HOUR)");
            }
            Range first = arguments.get(0);
            Range source = is(first.from(), "table") ? new Range(first.from() + 1, first.to()) : first;
            Part zone = arguments.size() > least ? zone(arguments.get(least)) : null;
            Window window = new Window(
                    new Part(word, tokens.get(table.from()).from()),
                    time(arguments.get(1)),
                    isHop ? interval(arguments.get(2)) : null,
                    interval(arguments.get(least - 1)),
                    zone);
            return table(source, window);
        }

        private Part zone(Range range) {
            Token token = tokens.get(range.from());
            if (token.kind() != Kind.TEXT || range.to() > range.from() + 1) {
                throw wrongAt(range.from(), "expected a time zone in quotes, such as 'Europe/Vienna'");
            }
            return name(range.from());
        }

        private Part time(Range range) {
            boolean isDescriptor = range.to() - range.from() == 4
                    && is(range.from(), "descriptor")
                    && tokens.get(range.from() + 1).is("(");
            if (!isDescriptor) {
                throw wrongAt(range.from(), "expected the column with the time, as DESCRIPTOR(column)");
            }
            return name(range.from() + 2);
        }

        /** Returns a text such as {@code 15 minute}. */
        private Part interval(Range range) {
            int from = range.from();
            boolean isInterval = is(from, "interval") && range.to() - from >= 2;
            Part whole = part(range, "an interval");
            if (!isInterval) {
                throw wrongAt(from, "expected an interval, such as INTERVAL '15' MINUTE, not " + whole.text());
            }
            StringBuilder words = new StringBuilder();
            for (int i = from + 1; i < range.to(); i++) {
                words.append(words.isEmpty() ? "" : " ").append(tokens.get(i).content());
            }
            return new Part(words.toString(), whole.from());
        }

        private From table(Range table, Window window) {
            if (table.isEmpty()) {
                throw wrongAt(table.from(), "expected a table before this");
            }
            Token first = tokens.get(table.from());
            boolean isCall = table.from() + 1 < table.to()
                    && tokens.get(table.from() + 1).is("(");
            if (isCall) {
                return call(table, window);
            }
            if (table.to() > table.from() + 1) {
                throw wrongAt(table.from() + 1, more(table.from() + 1));
            }
            boolean isFile = first.kind() == Kind.TEXT;
            if (!isFile && first.kind() != Kind.NAME && first.kind() != Kind.QUOTED_NAME) {
                throw wrong(first, "expected a file in quotes, or the name of a source");
            }
            return new From(name(table.from()), isFile, null, Map.of(), window);
        }

        private From call(Range table, Window window) {
            int close = closing(table.from() + 1, table);
            List<Range> arguments = SqlText.separated(tokens, new Range(table.from() + 2, close));
            Range path = arguments.get(0);
            if (path.to() != path.from() + 1 || tokens.get(path.from()).kind() != Kind.TEXT) {
                throw wrongAt(path.from(), "expected a file in quotes");
            }
            Map<String, Part> options = new LinkedHashMap<>();
            for (Range each : arguments.subList(1, arguments.size())) {
                boolean isOption = each.to() - each.from() == 3
                        && tokens.get(each.from() + 1).is("=");
                if (!isOption) {
                    throw wrongAt(each.from(), "an option is written as name = value");
                }
                options.put(tokens.get(each.from()).content().toLowerCase(Locale.ROOT), name(each.from() + 2));
            }
            return new From(name(path.from()), true, name(table.from()), options, window);
        }
    }
}
