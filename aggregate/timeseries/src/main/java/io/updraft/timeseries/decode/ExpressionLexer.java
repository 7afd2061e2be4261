package io.updraft.timeseries.decode;

/** Splits an expression into tokens, with one token of look-ahead. */
final class ExpressionLexer {

    enum Kind {
        NAME,
        QUOTED_NAME,
        NUMBER,
        TEXT,
        SIGN,
        END
    }

    private static final String[] SIGNS = {
        "&&", "||", "==", "!=", "<=", ">=", "<", ">", "!", "=", "+", "-", "*", "/", "%", "(", ")", ","
    };

    private final String text;
    private int next;

    /** The current token: its kind, its start, and its text without quotes. */
    Kind kind;

    int from;
    String isAt;

    ExpressionLexer(String text) {
        this.text = text;
        advance();
    }

    /** Returns the end of the current token, with its closing quote. */
    int end() {
        return next;
    }

    boolean is(String sign) {
        return kind == Kind.SIGN && isAt.equals(sign);
    }

    boolean isWord(String word) {
        return kind == Kind.NAME && isAt.equals(word);
    }

    /** Returns whether an opening parenthesis follows the current token. */
    boolean beforeParenthesis() {
        int at = next;
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
        return at < text.length() && text.charAt(at) == '(';
    }

    ExpressionException wrong(int position, String message) {
        return new ExpressionException(text, position, message);
    }

    ExpressionException unexpected(String wanted) {
        return wrong(from, "expected " + wanted + (kind == Kind.END ? " but it ends" : ""));
    }

    void advance() {
        while (next < text.length() && text.charAt(next) <= ' ') {
            next++;
        }
        from = next;
        if (next == text.length()) {
            token(Kind.END, "");
            return;
        }
        char c = text.charAt(next);
        if (Character.isLetter(c) || c == '_') {
            word();
        } else if (c >= '0' && c <= '9') {
            number();
        } else if (c == '"' || c == '\'' || c == '`') {
            quoted(c);
        } else {
            sign();
        }
    }

    private void token(Kind of, String content) {
        kind = of;
        isAt = content;
    }

    private void word() {
        while (next < text.length() && isPartOfName(text.charAt(next))) {
            next++;
        }
        token(Kind.NAME, text.substring(from, next));
    }

    private static boolean isPartOfName(char c) {
        return Character.isLetterOrDigit(c) || c == '_' || c == '.';
    }

    private void number() {
        while (next < text.length() && isPartOfNumber(text.charAt(next))) {
            next++;
        }
        token(Kind.NUMBER, text.substring(from, next));
    }

    private boolean isPartOfNumber(char c) {
        char before = text.charAt(Math.max(from, next - 1));
        boolean exponentSign = (c == '-' || c == '+') && (before == 'e' || before == 'E');
        return isPartOfName(c) || exponentSign;
    }

    private void quoted(char quote) {
        StringBuilder content = new StringBuilder();
        next++;
        while (next < text.length() && text.charAt(next) != quote) {
            boolean escaped = text.charAt(next) == '\\' && next + 1 < text.length();
            next += escaped ? 1 : 0;
            content.append(text.charAt(next++));
        }
        if (next == text.length()) {
            throw wrong(from, "no " + quote + " closes the quoted text");
        }
        next++;
        token(quote == '`' ? Kind.QUOTED_NAME : Kind.TEXT, content.toString());
    }

    private void sign() {
        for (String sign : SIGNS) {
            if (text.startsWith(sign, next)) {
                next += sign.length();
                token(Kind.SIGN, sign);
                return;
            }
        }
        throw wrong(from, "'" + text.charAt(from) + "' is not allowed here");
    }
}
