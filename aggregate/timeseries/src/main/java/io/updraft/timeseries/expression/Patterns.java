package io.updraft.timeseries.expression;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.function.Consumer;

/** {@code LIKE} and regular expressions, of RE2's syntax as DuckDB's are. For one pattern and one thread. */
final class Patterns {

    private Patterns() {}

    /**
     * Returns whether a text matches a pattern of {@code %} and {@code _}. Goes back to the last {@code %} only, which is enough.
     *
     * @param escape the character that makes the following one plain; -1 for none
     */
    static boolean isLike(ExpressionValue text, byte[] pattern, int escape) {
        int at = 0;
        int p = 0;
        int star = -1;
        int starAt = 0;
        while (at < text.length) {
            int c = p < pattern.length ? pattern[p] : -1;
            boolean isEscape = p < pattern.length && c == escape && p + 1 < pattern.length;
            if (p < pattern.length && !isEscape && c == '%') {
                star = ++p;
                starAt = at;
            } else if (p < pattern.length && !isEscape && c == '_') {
                at = next(text, at);
                p++;
            } else if (p < pattern.length && text.bytes[text.from + at] == pattern[isEscape ? p + 1 : p]) {
                at++;
                p += isEscape ? 2 : 1;
            } else if (star >= 0) {
                starAt = next(text, starAt);
                at = starAt;
                p = star;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p] == '%') {
            p++;
        }
        return p == pattern.length;
    }

    private static int next(ExpressionValue text, int index) {
        int at = index + 1;
        while (at < text.length && (text.bytes[text.from + at] & 0xc0) == 0x80) {
            at++;
        }
        return at;
    }

    /** Compiles a regular expression. Passes what is wrong with it to a consumer, which throws. */
    static Pattern compile(String pattern, int flags, Consumer<String> wrong) {
        try {
            return Pattern.compile(pattern, flags);
        } catch (PatternSyntaxException e) {
            wrong.accept("the regular expression is invalid: " + e.getDescription() + ": " + e.getPattern());
            throw e;
        }
    }

    /** A text as characters: in place if it is ASCII. */
    static final class Characters implements CharSequence {

        private ExpressionValue text;
        private String other;

        Characters of(ExpressionValue value) {
            text = value;
            int bits = 0;
            for (int i = 0; i < value.length; i++) {
                bits |= value.bytes[value.from + i];
            }
            other = bits < 0 ? value.string() : null;
            return this;
        }

        @Override
        public int length() {
            return other == null ? text.length : other.length();
        }

        @Override
        public char charAt(int index) {
            return other == null ? (char) text.bytes[text.from + index] : other.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return toString().substring(start, end);
        }

        @Override
        public String toString() {
            return other == null ? text.string() : other;
        }
    }

    /** Finds a pattern in texts. */
    static final class Finder {

        private final Characters characters = new Characters();
        private final Matcher matcher;

        Finder(Pattern pattern) {
            matcher = pattern.matcher("");
        }

        boolean finds(ExpressionValue text) {
            return matcher.reset(characters.of(text)).find();
        }

        boolean matches(ExpressionValue text) {
            return matcher.reset(characters.of(text)).matches();
        }

        /** Keeps the first occurrence, or a group of it; of none, the empty text. */
        void extract(ExpressionValue text, int group) {
            String found = finds(text) ? matcher.group(group) : "";
            text.text(found == null ? "" : found);
        }

        void replace(ExpressionValue text, String replacement, boolean all) {
            matcher.reset(characters.of(text));
            text.text(all ? matcher.replaceAll(replacement) : matcher.replaceFirst(replacement));
        }
    }

    /** Returns a replacement as RE2/J reads it: SQL refers to groups by a backslash, and a dollar sign is plain. */
    static String replacement(String sql) {
        StringBuilder java = new StringBuilder();
        for (int i = 0; i < sql.length(); i++) {
            char c = sql.charAt(i);
            char following = i + 1 < sql.length() ? sql.charAt(i + 1) : 0;
            if (c == '\\' && Character.isDigit(following)) {
                java.append('$').append(following);
                i++;
            } else if (c == '\\' && following == '\\') {
                java.append("\\\\");
                i++;
            } else {
                java.append(c == '$' || c == '\\' ? "\\" : "").append(c);
            }
        }
        return java.toString();
    }
}
