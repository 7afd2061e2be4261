package io.updraft.timeseries.expression;

import io.updraft.timeseries.expression.SqlText.Kind;
import io.updraft.timeseries.expression.SqlText.Token;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/**
 * An expression as pieces without nesting: what stands in parentheses, and each part of a CASE, is a piece of its own, and the
 * piece around it has a name in its place. The parser tries readings of what is nested one after the other, so that its time doubles
 * with each level; pieces take it no time.
 */
final class SqlPieces {

    private static final char MARK = '\u0001';
    private static final int MAX_DEPTH = 50;

    /** Functions whose arguments are separated by words. */
    private static final Set<String> WORDY = Set.of("cast", "try_cast", "extract", "trim", "position", "substring");

    private static final Set<String> SEPARATORS = Set.of("as", "from", "for", "in", "both", "leading", "trailing");
    private static final Set<String> CASE_WORDS = Set.of("case", "when", "then", "else", "end");

    private final String text;
    private final List<List<Token>> pieces = new ArrayList<>();

    SqlPieces(String text, List<Token> tokens) {
        this.text = text;
        pieces.add(flat(tokens, 0));
    }

    /** Returns the number of the piece that is the whole. */
    int whole() {
        return pieces.size() - 1;
    }

    /** A piece as the parser reads it, and the index in the whole text of each of its characters. */
    record Piece(String sql, int[] places) {
        int place(int index) {
            return places[Math.max(0, Math.min(index, places.length - 1))];
        }
    }

    /** Returns a piece. */
    Piece piece(int number, Function<String, String> column) {
        StringBuilder sql = new StringBuilder();
        List<Token> tokens = pieces.get(number);
        int[] places = new int[16];
        for (Token token : tokens) {
            String written = SqlText.sql(token, column);
            int end = sql.length() + written.length() + 1;
            if (end >= places.length) {
                places = Arrays.copyOf(places, 2 * end);
            }
            Arrays.fill(places, sql.length(), end, token.from());
            sql.append(written).append(' ');
        }
        places = Arrays.copyOf(places, sql.length() + 1);
        places[sql.length()] =
                tokens.isEmpty() ? text.length() : tokens.get(tokens.size() - 1).to();
        return new Piece(sql.toString(), places);
    }

    /** Returns the number of the piece that a name stands for; -1 if it is the name of a column. */
    static int number(String name) {
        return name.charAt(0) == MARK ? Integer.parseInt(name.substring(1)) : -1;
    }

    /** Returns whether the parser's token is the name of a piece. */
    static boolean isName(String image) {
        return image.length() > 1 && image.charAt(1) == MARK;
    }

    private List<Token> flat(List<Token> tokens, int depth) {
        if (depth > MAX_DEPTH) {
            throw new ExpressionException(
                    text, tokens.isEmpty() ? 0 : tokens.get(0).from(), "nested too deep");
        }
        if (hasIn(tokens)) {
            List<Token> conditions = junction(tokens, depth);
            if (conditions.size() > 1) {
                return conditions;
            }
        }
        List<Token> flat = new ArrayList<>();
        int i = 0;
        while (i < tokens.size()) {
            Token token = tokens.get(i);
            if (token.is("(")) {
                int close = SqlText.closed(text, tokens, i);
                List<Token> inside = tokens.subList(i + 1, close);
                Token before = i == 0 ? null : tokens.get(i - 1);
                boolean isGroup = before == null
                        || before.kind() != Kind.NAME
                        || before.column()
                        || before.isOperator() && !before.isWord("in");
                if (isGroup) {
                    flat.add(part(inside, token, depth));
                } else {
                    call(before, token, inside, tokens.get(close), flat, depth);
                }
                i = close + 1;
            } else if (isWord(token, "case")) {
                int end = endOfCase(tokens, i);
                flat.add(piece(separated(tokens.subList(i, end + 1), CASE_WORDS, depth), token));
                i = end + 1;
            } else if (isSign(token) && i + 1 < tokens.size() && isSign(tokens.get(i + 1))) {
                // The parser takes one sign only.
                int after = afterOperand(tokens, i + 1);
                flat.add(token);
                flat.add(part(tokens.subList(i + 1, after), tokens.get(i + 1), depth));
                i = after;
            } else {
                flat.add(token);
                i++;
            }
        }
        return flat;
    }

    /** Returns whether one of the outer words is "in". */
    private static boolean hasIn(List<Token> tokens) {
        int nested = 0;
        for (Token token : tokens) {
            nested += nesting(token);
            if (nested == 0 && isWord(token, "in")) {
                return true;
            }
        }
        return false;
    }

    private static int nesting(Token token) {
        return token.is("(") || isWord(token, "case") ? 1 : token.is(")") || isWord(token, "end") ? -1 : 0;
    }

    /**
     * Makes pieces of the conditions between "and" and "or": the parser takes what follows the list of "in" for a part of it. Returns
     * one token or none if there is only one condition.
     */
    private List<Token> junction(List<Token> tokens, int depth) {
        List<List<Token>> conditions = new ArrayList<>(List.of(new ArrayList<>()));
        List<Token> words = new ArrayList<>();
        int nested = 0;
        boolean isBetween = false;
        for (Token token : tokens) {
            nested += nesting(token);
            boolean isAnd = nested == 0 && isWord(token, "and");
            if (isAnd && !isBetween || nested == 0 && isWord(token, "or")) {
                words.add(token);
                conditions.add(new ArrayList<>());
            } else {
                conditions.get(words.size()).add(token);
            }
            isBetween = !isAnd && (isBetween || nested == 0 && isWord(token, "between"));
        }
        List<Token> all = new ArrayList<>();
        for (int i = 0; i <= words.size() && !words.isEmpty(); i++) {
            add(conditions.get(i), all, depth);
            if (i < words.size()) {
                all.add(words.get(i));
            }
        }
        return all;
    }

    private static boolean isSign(Token token) {
        return token.is("-") || token.is("+");
    }

    /** Returns the index after an operand with signs before it. */
    private int afterOperand(List<Token> tokens, int first) {
        int at = first;
        while (at < tokens.size() && isSign(tokens.get(at))) {
            at++;
        }
        if (at < tokens.size() && isWord(tokens.get(at), "case")) {
            return endOfCase(tokens, at) + 1;
        }
        boolean isCall = at + 1 < tokens.size()
                && tokens.get(at).kind() == Kind.NAME
                && tokens.get(at + 1).is("(");
        int open = isCall ? at + 1 : at;
        return open < tokens.size() && tokens.get(open).is("(")
                ? SqlText.closed(text, tokens, open) + 1
                : Math.min(open + 1, tokens.size());
    }

    private static boolean isWord(Token token, String word) {
        return !token.column() && token.isWord(word);
    }

    private int endOfCase(List<Token> tokens, int first) {
        int depth = 0;
        for (int i = first; i < tokens.size(); i++) {
            depth += isWord(tokens.get(i), "case") ? 1 : isWord(tokens.get(i), "end") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        throw new ExpressionException(text, tokens.get(first).from(), "no 'end' closes this 'case'");
    }

    /** Adds the arguments of a function whose name was added. Gives those with words of SQL between them the form of others. */
    private void call(Token function, Token open, List<Token> inside, Token close, List<Token> flat, int depth) {
        String name = function.content().toLowerCase(Locale.ROOT);
        List<Token> arguments = separated(inside, WORDY.contains(name) ? SEPARATORS : Set.of(), depth);
        if (name.equals("substring")) {
            rename(flat, "sql_substring");
            arguments.replaceAll(each -> isWord(each, "from") || isWord(each, "for") ? comma(each) : each);
        } else if (name.equals("position") && arguments.size() == 3 && isWord(arguments.get(1), "in")) {
            rename(flat, "strpos");
            arguments = List.of(arguments.get(2), comma(arguments.get(1)), arguments.get(0));
        }
        flat.add(open);
        flat.addAll(arguments);
        flat.add(close);
    }

    private static void rename(List<Token> flat, String name) {
        Token last = flat.get(flat.size() - 1);
        flat.set(flat.size() - 1, new Token(Kind.NAME, last.from(), last.to(), name, false));
    }

    private static Token comma(Token at) {
        return new Token(Kind.SIGN, at.from(), at.to(), ",", false);
    }

    /** Makes pieces of what stands between commas or some words on the outer level. What follows "as" stays as it is. */
    private List<Token> separated(List<Token> tokens, Set<String> words, int depth) {
        List<Token> all = new ArrayList<>();
        List<Token> part = new ArrayList<>();
        int nested = 0;
        int cases = 0;
        boolean isType = false;
        for (Token token : tokens) {
            nested += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            boolean isInner = words == CASE_WORDS
                    && (isWord(token, "case") ? cases++ > 0 : isWord(token, "end") ? --cases > 0 : cases > 1);
            boolean separates = nested == 0
                    && !isInner
                    && (token.is(",")
                            || !token.column()
                                    && words.contains(token.content().toLowerCase(Locale.ROOT))
                                    && token.kind() == Kind.NAME);
            if (separates || isType) {
                add(part, all, depth);
                part.clear();
                all.add(token);
                isType |= separates && isWord(token, "as");
            } else {
                part.add(token);
            }
        }
        add(part, all, depth);
        return all;
    }

    private void add(List<Token> part, List<Token> all, int depth) {
        boolean isSpecial = part.size() == 1 || part.size() > 1 && isWord(part.get(0), "interval");
        if (part.isEmpty() || isSpecial) {
            all.addAll(part);
        } else {
            all.add(part(List.copyOf(part), part.get(0), depth));
        }
    }

    private Token part(List<Token> inside, Token at, int depth) {
        if (inside.isEmpty()) {
            throw new ExpressionException(text, at.from(), "there is nothing in these parentheses");
        }
        return piece(flat(inside, depth + 1), at);
    }

    /** Adds a piece. Returns the name that stands for it. */
    private Token piece(List<Token> tokens, Token at) {
        pieces.add(tokens);
        return new Token(Kind.QUOTED_NAME, at.from(), at.to(), "" + MARK + (pieces.size() - 1), true);
    }
}
