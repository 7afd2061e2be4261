package io.updraft.timeseries.expression;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * An expression as SQL that the parser takes. Names of columns are quoted, so that they may be words of SQL. What versions before 0.3
 * wrote in their own way is translated: {@code ==}, {@code &&}, {@code !}, text in double quotes, and names in backticks.
 *
 * <p>Splits the text into tokens, and knows of each word whether an operand or an operator may stand in its place. A name is a
 * column only where an operand may stand.
 */
final class SqlText {

    /** The maximum number of operators: more than people write. They are evaluated by recursion. */
    private static final int MAX_TOKENS = 2_000;

    /** Words after which an operand stands. */
    private static final Set<String> BEFORE_OPERANDS = Set.of(
            "and",
            "or",
            "not",
            "in",
            "like",
            "ilike",
            "between",
            "case",
            "when",
            "then",
            "else",
            "is",
            "from",
            "escape",
            "similar",
            "to",
            "for",
            "xor",
            "where",
            "by",
            "distinct",
            "both",
            "leading",
            "trailing");

    private static final Set<String> TRIM_SIDES = Set.of("both", "leading", "trailing");

    /** Words that may stand in the place of an operand, and are not columns unless a column has the name. */
    private static final Set<String> WORDS = Set.of(
            "and",
            "or",
            "not",
            "in",
            "true",
            "false",
            "null",
            "case",
            "when",
            "then",
            "else",
            "end",
            "cast",
            "try_cast",
            "interval",
            "date",
            "timestamp",
            "timestamptz",
            "is",
            "distinct",
            "from",
            "between",
            "like",
            "ilike");

    enum Kind {
        NAME,
        QUOTED_NAME,
        NUMBER,
        TEXT,
        SIGN
    }

    /**
     * A token.
     *
     * @param content its text, without quotes and escapes
     * @param column whether it is the name of a column
     */
    record Token(Kind kind, int from, int to, String content, boolean column) {
        boolean is(String sign) {
            return kind == Kind.SIGN && content.equals(sign);
        }

        /** Returns whether it is a word of SQL after which an operand stands. */
        boolean isOperator() {
            return kind == Kind.NAME && !column && BEFORE_OPERANDS.contains(content.toLowerCase(Locale.ROOT));
        }

        boolean isWord(String word) {
            return kind == Kind.NAME && content.equalsIgnoreCase(word);
        }
    }

    private final String text;
    private final Predicate<String> isColumn;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private SqlText(String text, Predicate<String> isColumn, int most) {
        this.text = text;
        this.isColumn = isColumn;
        boolean operand = true;
        int depth = 0;
        while (skipSpace()) {
            Token token = next(operand);
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            if (depth < 0 || tokens.size() == most) {
                throw wrong(
                        token.from,
                        depth < 0 ? "no ( opens this parenthesis" : "more than " + most + " words and signs");
            }
            tokens.add(token);
            operand = operandAfter(token);
        }
        if (tokens.isEmpty()) {
            throw wrong(0, "expected an expression but there is none");
        }
    }

    static List<Token> tokens(String text, Predicate<String> isColumn) {
        return new SqlText(text, isColumn, MAX_TOKENS).tokens;
    }

    /** Returns the tokens of a whole statement, which may have many expressions. Which names are columns is not known. */
    static List<Token> ofStatement(String text) {
        return new SqlText(text, name -> true, 50 * MAX_TOKENS).tokens;
    }

    /**
     * Returns how the parser is to read a token.
     *
     * @param column returns the exact name of a column that may be written in other case; null if there is none
     */
    static String sql(Token token, Function<String, String> column) {
        if (token.column) {
            String exact = column.apply(token.content);
            return quoted(exact == null ? token.content : exact);
        }
        return switch (token.kind) {
            case TEXT -> literal(token.content);
            case SIGN ->
                switch (token.content) {
                    case "==" -> "=";
                    case "!=" -> "<>";
                    case "&&" -> "and";
                    case "!" -> "not";
                    // The parser takes two slashes for a comment.
                    case "//" -> "div";
                    default -> token.content;
                };
            default -> token.content;
        };
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    static String literal(String text) {
        return '\'' + text.replace("'", "''") + '\'';
    }

    /** Returns the names that may be columns, in their order; of an invalid text, those before the error. */
    static Set<String> names(String text) {
        Set<String> names = new LinkedHashSet<>();
        SqlText source = null;
        try {
            source = new SqlText(text, name -> true, MAX_TOKENS);
        } catch (ExpressionException e) {
            // The parser reports it.
            return names;
        }
        source.tokens.stream().filter(Token::column).forEach(token -> names.add(token.content));
        return names;
    }

    /** Returns the index of the parenthesis that closes another one; -1 if there is none. */
    static int close(List<Token> tokens, int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            depth += tokens.get(i).is("(") ? 1 : tokens.get(i).is(")") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns the index of the parenthesis that closes another one.
     *
     * @throws ExpressionException when there is none
     */
    static int closed(String text, List<Token> tokens, int open) {
        int close = close(tokens, open);
        if (close < 0) {
            throw new ExpressionException(text, tokens.get(open).from(), "no ) closes this parenthesis");
        }
        return close;
    }

    /** Tokens from one index to another, which is not among them. */
    record Range(int from, int to) {
        boolean isEmpty() {
            return from >= to;
        }
    }

    /** Splits tokens at the commas outside of parentheses. */
    static List<Range> separated(List<Token> tokens, Range range) {
        List<Range> ranges = new ArrayList<>();
        int depth = 0;
        int start = range.from;
        for (int i = range.from; i < range.to; i++) {
            Token token = tokens.get(i);
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            if (depth == 0 && token.is(",")) {
                ranges.add(new Range(start, i));
                start = i + 1;
            }
        }
        ranges.add(new Range(start, range.to));
        return ranges;
    }

    private ExpressionException wrong(int position, String message) {
        return new ExpressionException(text, position, message);
    }

    private boolean skipSpace() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
        return at < text.length();
    }

    private Token next(boolean operand) {
        char c = text.charAt(at);
        if (Character.isLetter(c) || c == '_') {
            return word(operand);
        }
        boolean point = c == '.' && at + 1 < text.length() && isDigit(text.charAt(at + 1));
        if (isDigit(c) || point) {
            return number();
        }
        return switch (c) {
            case '\'' -> token(Kind.TEXT, single(), false);
            case '"' -> doubleQuoted();
            case '`' -> token(Kind.QUOTED_NAME, escaped('`'), true);
            default -> sign();
        };
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** Makes a token of the characters up to the present index. */
    private Token token(Kind kind, String content, boolean column) {
        return new Token(kind, start, at, content, column);
    }

    private int start;

    private Token word(boolean operand) {
        start = at;
        while (at < text.length() && isPartOfName(text.charAt(at))) {
            at++;
        }
        String name = text.substring(start, at);
        boolean call = isBeforeParenthesis();
        boolean field = isIn("extract") || isIn("trim") && TRIM_SIDES.contains(name.toLowerCase(Locale.ROOT));
        boolean type = !tokens.isEmpty() && (last().isWord("as") || last().is("::"));
        boolean word = WORDS.contains(name.toLowerCase(Locale.ROOT)) && (isSql(name) || !isColumn.test(name));
        return token(Kind.NAME, name, operand && !call && !field && !type && !word);
    }

    /** Returns whether the present word is the first one in the parentheses of a function. */
    private boolean isIn(String function) {
        int count = tokens.size();
        return count > 1 && last().is("(") && tokens.get(count - 2).isWord(function);
    }

    /** Returns whether a word of SQL in the place of an operand is meant as such, though there is a column of the name. */
    private boolean isSql(String name) {
        String word = name.toLowerCase(Locale.ROOT);
        boolean inCase = tokens.stream().anyMatch(token -> token.isWord("case"));
        return switch (word) {
            case "not", "true", "false", "null", "case" -> true;
            case "when", "then", "else", "end" -> inCase;
            case "date", "timestamp", "timestamptz", "interval" -> isBeforeLiteral();
            default -> false;
        };
    }

    private boolean isBeforeLiteral() {
        int next = afterSpace();
        return next < text.length() && (text.charAt(next) == '\'' || isDigit(text.charAt(next)));
    }

    private boolean isBeforeParenthesis() {
        int next = afterSpace();
        return next < text.length() && text.charAt(next) == '(';
    }

    private int afterSpace() {
        int next = at;
        while (next < text.length() && text.charAt(next) <= ' ') {
            next++;
        }
        return next;
    }

    private Token last() {
        return tokens.get(tokens.size() - 1);
    }

    private static boolean isPartOfName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    private Token number() {
        start = at;
        while (at < text.length() && isPartOfNumber(text.charAt(at))) {
            at++;
        }
        String digits = text.substring(start, at);
        if (!digits.matches("([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([eE][-+]?[0-9]+)?")) {
            throw wrong(start, digits + " is not a number");
        }
        return token(Kind.NUMBER, digits, false);
    }

    private boolean isPartOfNumber(char c) {
        char before = text.charAt(Math.max(start, at - 1));
        boolean exponentSign = at > start && (c == '-' || c == '+') && (before == 'e' || before == 'E');
        return isPartOfName(c) || exponentSign;
    }

    /**
     * Reads text in single quotes, in which two quotes are one. A backslash before a quote is read as versions before 0.3 wrote it,
     * if otherwise a quote would be left over.
     */
    private String single() {
        start = at++;
        StringBuilder content = new StringBuilder();
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            boolean isDouble = at + 1 < text.length() && text.charAt(at + 1) == '\'';
            if (c == '\'' && !isDouble) {
                at++;
                return content.toString();
            }
            if (c == '\'' || c == '\\' && isDouble && leavesAQuote(at + 1)) {
                at++;
                content.append('\'');
            } else {
                content.append(c);
            }
        }
        throw wrong(start, "no ' closes the quoted text");
    }

    /** Returns whether the number of quotes after an index is odd. */
    private boolean leavesAQuote(int quote) {
        return text.chars().skip(quote + 1L).filter(c -> c == '\'').count() % 2 != 0;
    }

    /** Reads a name in double quotes or, as versions before 0.3 wrote it, text, if there is no column of that name. */
    private Token doubleQuoted() {
        String content = escaped('"');
        boolean column = isColumn.test(content);
        return token(column ? Kind.QUOTED_NAME : Kind.TEXT, content, column);
    }

    private String escaped(char quote) {
        start = at++;
        StringBuilder content = new StringBuilder();
        for (; at < text.length(); at++) {
            char c = text.charAt(at);
            char following = at + 1 < text.length() ? text.charAt(at + 1) : 0;
            if (c == quote && following != quote) {
                at++;
                return content.toString();
            }
            boolean isEscape = c == quote || c == '\\' && (following == quote || following == '\\');
            at += isEscape ? 1 : 0;
            content.append(text.charAt(at));
        }
        throw wrong(start, "no " + quote + " closes the quoted text");
    }

    private static final String[] SIGNS = {
        "!~*", "&&", "||", "==", "!=", "<>", "<=", ">=", "!~", "~*", "::", "//", "<", ">", "!", "=", "+", "-", "*", "/",
        "%", "(", ")", ",", "~"
    };

    private Token sign() {
        start = at;
        for (String sign : SIGNS) {
            if (text.startsWith(sign, at)) {
                at += sign.length();
                return token(Kind.SIGN, sign, false);
            }
        }
        throw wrong(at, "'" + text.charAt(at) + "' is not allowed here");
    }

    private static boolean operandAfter(Token token) {
        return switch (token.kind) {
            case SIGN -> !token.is(")");
            case NAME -> token.isOperator();
            default -> false;
        };
    }
}
