package io.updraft.timeseries.decode;

import io.updraft.timeseries.record.Decimal;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RejectedRecordException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * Parses one JSON value (RFC 8259) in place in a single pass, and passes values to the columns that read them. Checks
 * everything, whether a column reads it or not: syntax, UTF-8, surrogate pairs, depth. Scans strings 8 bytes at a time by
 * arithmetic on words ("Hacker's Delight", 6-1). If a name comes more than once, the last value at a path counts.
 *
 * <p>Methods are long, because the position stays in a local variable.
 */
final class JsonScanner {

    static final int MAX_DEPTH = 512;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final ColumnWriter[] NO_COLUMNS = {};
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private final Decimal decimal = new Decimal();
    private final ExplodedElements elements;
    private final BiConsumer<ColumnWriter, String> containers;
    private final TextBuffer texts = new TextBuffer();
    private final JsonKey key;

    private byte[] bytes;
    private int start;
    private int end;
    private boolean line;
    private RecordRow row;
    private boolean escaped;
    /** Receives the places of values; null if nobody wants them. */
    private JsonTrace trace;

    /**
     * Creates a scanner.
     *
     * @param elements null if nothing is exploded
     * @param key the key text of records
     * @param containers receives a column that finds an object or array, and which of them where; may refuse the record
     */
    JsonScanner(ExplodedElements elements, JsonKey key, BiConsumer<ColumnWriter, String> containers) {
        this.key = key;
        this.elements = elements;
        this.containers = containers;
    }

    /** Sets the bytes to parse: up to {@code limit}, or to a line feed before it. */
    void set(byte[] in, int limit, boolean lines) {
        bytes = in;
        end = limit;
        line = lines;
    }

    /** Parses a record. Returns its end: the limit, or a line feed. The trace, which may be null, receives the places of values. */
    int record(int from, PathNode node, RecordRow into, JsonTrace traced) {
        trace = traced;
        if (traced != null) {
            traced.begin(from);
        }
        start = from;
        texts.used = 0;
        row = into;
        key.isRead = false;
        int first = space(from);
        int at = space(value(first, node, 0));
        if (at < end && !(line && bytes[at] == '\n')) {
            throw flaw(at, "expected the end of the record");
        }
        boolean array = bytes[first] == '[' && (node.each != null || node.elements.length > 0);
        if (bytes[first] != '{' && !array) {
            throw new RejectedRecordException("the record is not a JSON object");
        }
        return at;
    }

    /** Frees the memory that a huge record needed. */
    void forget() {
        bytes = null;
        row = null;
        texts.forget();
    }

    /** Parses the elements of an exploded value again. The sink has stored where the value begins. */
    void again(int at, PathNode node) {
        value(at, node, 1);
    }

    private int value(int at, PathNode node, int depth) {
        if (at >= end) {
            throw flaw(at, "expected a value");
        }
        return switch (bytes[at]) {
            case '"' -> string(at, node);
            case '{', '[' -> container(at, node, depth);
            case 't' -> literal(at, "true", node);
            case 'f' -> literal(at, "false", node);
            case 'n' -> literal(at, "null", node);
            default -> number(at, node);
        };
    }

    private int string(int at, PathNode node) {
        int close = stringEnd(at + 1);
        if (trace != null) {
            trace.value(JsonTrace.TEXT, at + 1, close, node == null ? NO_COLUMNS : node.columns);
        }
        if (node != null) {
            notExploded(node, "text", at);
            text(node.columns, at + 1, close);
        }
        return close + 1;
    }

    private int container(int at, PathNode node, int depth) {
        boolean array = bytes[at] == '[';
        if (node != null && node.columns.length > 0) {
            traceOther();
            String found = (array ? "an array at byte " : "an object at byte ") + (at - start);
            List.of(node.columns).forEach(column -> containers.accept(column, found));
        }
        if (node != null && node.each != null && elements.begin(at, node)) {
            return elements(at, node, depth, array ? ']' : '}');
        }
        PathNode inside = node == null || node.isLeaf() ? null : node;
        return array ? array(at + 1, inside, depth) : object(at + 1, inside, depth);
    }

    private void notExploded(PathNode node, String found, int at) {
        if (node.each != null) {
            throw new RejectedRecordException(
                    "the value to explode is " + found + ", not an array or object, at byte " + (at - start));
        }
    }

    private int number(int at, PathNode node) {
        int after = decimal.json(bytes, at, end);
        if (after < 0) {
            boolean digit = bytes[at] == '-' || (bytes[at] >= '0' && bytes[at] <= '9');
            throw flaw(at, digit ? "expected a number as JSON writes it" : "expected a value");
        }
        if (trace != null) {
            trace.value(JsonTrace.NUMBER, at, after, node == null ? NO_COLUMNS : node.columns);
        }
        if (node != null) {
            notExploded(node, "a number", at);
            for (ColumnWriter column : node.columns) {
                column.number(row, decimal, bytes, at, after - at);
            }
        }
        return after;
    }

    private int literal(int at, String word, PathNode node) {
        int after = at + word.length();
        for (int i = 1; i < word.length(); i++) {
            if (after > end || bytes[at + i] != word.charAt(i)) {
                throw flaw(at, "expected a value");
            }
        }
        if (node == null) {
            return after;
        }
        if (node.columns.length > 0) {
            traceOther();
        }
        boolean isNull = word.charAt(0) == 'n';
        if (isNull && node.each != null) {
            // Null counts as no value, and discards an earlier value of the same name.
            elements.none(node);
        } else {
            notExploded(node, word, at);
        }
        for (ColumnWriter column : node.columns) {
            if (isNull) {
                column.none(row);
            } else {
                column.truth(row, word.charAt(0) == 't');
            }
        }
        return after;
    }

    private void text(ColumnWriter[] columns, int from, int close) {
        if (columns.length == 0) {
            return;
        }
        byte[] in = bytes;
        int at = from;
        int length = close - from;
        if (escaped) {
            at = texts.decodeJson(bytes, from, close);
            in = texts.bytes;
            length = texts.used - at;
        }
        for (ColumnWriter column : columns) {
            column.text(row, in, at, length);
        }
    }

    private int object(int from, PathNode node, int depth) {
        byte[] in = bytes;
        int at = begin(from, depth);
        if (at < end && in[at] == '}') {
            return at + 1;
        }
        PathNode before = null;
        PathNode hint = node == null ? null : node.first;
        PathNode keyFirst = node == null ? null : node.keyFirst;
        int keyFrom = -1;
        int keyMembers = 0;
        while (true) {
            if (at >= end || in[at] != '"') {
                throw flaw(at, "expected a name in quotes");
            }
            if (keyFirst != null && hint == keyFirst && !key.isRead) {
                int length = key.find(in, at, end, row);
                if (length > 0) {
                    if (trace != null) {
                        trace.key(at, at + length);
                    }
                    at += length;
                    before = node.keyLast;
                    hint = before.next;
                    if (in[at - 1] == '}') {
                        return at;
                    }
                    at = space(at);
                    continue;
                }
                keyFrom = at;
            }
            PathNode child = null;
            if (hint != null && hint.isNext(in, at + 1, end)) {
                child = hint;
                at += hint.nameLength() + 2;
            } else {
                int close = stringEnd(at + 1);
                if (node != null) {
                    child = find(node, at + 1, close);
                    node.expect(before, child);
                }
                at = close + 1;
            }
            if (child != null) {
                before = child;
                hint = child.next;
            }
            if (child != null && child.ofKey) {
                key.reads(row);
            }
            at = afterColon(at);
            int after = child == null || child.numbers == null ? -1 : shortNumber(in, at, child.numbers);
            at = after >= 0 ? after : value(at, child == null ? null : child.ifWanted(), depth + 1);
            at = at < end && in[at] == ',' ? at : space(at);
            if (at >= end || in[at] != ',' && in[at] != '}') {
                throw flaw(at, "expected , or }");
            }
            at++;
            if (keyFrom >= 0) {
                boolean follows = child != null && child.keyIndex == keyMembers;
                keyMembers++;
                if (follows && child == node.keyLast) {
                    key.add(in, keyFrom, at, row);
                    if (trace != null) {
                        trace.parsedKey(in, keyFrom, at);
                    }
                }
                keyFrom = follows ? keyFrom : -1;
            }
            if (in[at - 1] == '}') {
                return at;
            }
            at = space(at);
        }
    }

    /** Takes a short number. Returns its end; -1 if there is none, or something other than the end of a value follows. */
    private int shortNumber(byte[] in, int at, ColumnWriter column) {
        int shape = ShortNumber.shape(in, at);
        if (shape < 0) {
            return -1;
        }
        int after = at + ShortNumber.length(shape);
        boolean ends = after < end && (in[after] == ',' || in[after] == '}');
        if (!ends || !column.number(row, in, at, shape)) {
            return -1;
        }
        if (trace != null) {
            trace.number(at, after, column);
        }
        return after;
    }

    private void traceOther() {
        if (trace != null) {
            trace.other();
        }
    }

    private int begin(int from, int depth) {
        if (depth >= MAX_DEPTH) {
            throw flaw(from - 1, "nested deeper than " + MAX_DEPTH);
        }
        return space(from);
    }

    private int afterColon(int from) {
        int at = from < end && bytes[from] == ':' ? from : space(from);
        if (at >= end || bytes[at] != ':') {
            throw flaw(at, "expected :");
        }
        at++;
        return at < end && bytes[at] > ' ' ? at : space(at);
    }

    private PathNode find(PathNode node, int from, int close) {
        if (!escaped) {
            PathNode found = node.find(bytes, from, close);
            return found == null ? node.ignore(bytes, from, close) : found;
        }
        int mark = texts.used;
        int at = texts.decodeJson(bytes, from, close);
        PathNode found = node.find(texts.bytes, at, texts.used);
        texts.used = mark;
        return found;
    }

    private int array(int from, PathNode node, int depth) {
        int at = begin(from, depth);
        if (at < end && bytes[at] == ']') {
            return at + 1;
        }
        PathNode[] wanted = node == null ? null : node.elements;
        int i = 0;
        do {
            PathNode element = wanted != null && i < wanted.length ? wanted[i] : null;
            at = afterElement(value(space(at), element, depth + 1), ']');
            i++;
        } while (bytes[at - 1] == ',');
        return at;
    }

    private int afterElement(int from, char closing) {
        int at = space(from);
        if (at >= end || (bytes[at] != ',' && bytes[at] != closing)) {
            throw flaw(at, "expected , or " + closing);
        }
        return at + 1;
    }

    /** Parses exploded elements or members, up to the closing character. */
    private int elements(int from, PathNode node, int depth, char closing) {
        int at = begin(from + 1, depth);
        if (at < end && bytes[at] == closing) {
            return at + 1;
        }
        RecordRow record = row;
        do {
            int mark = texts.used;
            row = elements.next();
            int first = closing == ']' ? space(at) : member(space(at), node);
            at = afterElement(value(first, node.each, depth + 1), closing);
            texts.used = elements.keep() ? texts.used : mark;
        } while (bytes[at - 1] == ',');
        row = record;
        return at;
    }

    private int member(int at, PathNode node) {
        if (at >= end || bytes[at] != '"') {
            throw flaw(at, "expected a name in quotes");
        }
        int close = stringEnd(at + 1);
        text(node.keys, at + 1, close);
        return afterColon(close + 1);
    }

    /** Returns the index of the quote that ends a string, and notes whether there are escapes before it. */
    private int stringEnd(int from) {
        int limit = end;
        int at = from;
        escaped = false;
        while (true) {
            at = plainEnd(bytes, at, limit);
            if (at >= limit) {
                throw flaw(limit, "expected the quote that ends a string");
            }
            int c = bytes[at];
            if (c == '"') {
                return at;
            }
            at = unusual(at, c);
        }
    }

    /** Returns the index of the first byte that is a quote, a backslash, a control character or beyond ASCII; the limit if there is none. */
    static int plainEnd(byte[] in, int from, int limit) {
        int at = from;
        while (at <= limit - 8) {
            long word = (long) LONGS.get(in, at);
            long quotes = (word ^ ONES * '"') - ONES;
            long escapes = (word ^ ONES * '\\') - ONES;
            long controls = word - ONES * ' ';
            long found = (quotes | escapes | controls | word) & HIGHS;
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
            at += 8;
        }
        while (at < limit && in[at] >= ' ' && in[at] != '"' && in[at] != '\\') {
            at++;
        }
        return at;
    }

    private int unusual(int at, int c) {
        if (c == '\\') {
            escaped = true;
            return escape(at);
        }
        if (c >= 0) {
            throw flaw(
                    at, c == '\n' && line ? "expected the quote that ends a string" : "control character in a string");
        }
        int next = Utf8Decoding.next(bytes, at, end);
        if (next < 0) {
            throw flaw(at, "malformed UTF-8");
        }
        return next;
    }

    private int escape(int at) {
        if (at + 1 >= end) {
            throw flaw(end, "expected the rest of an escape");
        }
        return switch (bytes[at + 1]) {
            case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at + 2;
            case 'u' -> unicode(at);
            default -> throw flaw(at, "invalid escape");
        };
    }

    private int unicode(int at) {
        int unit = TextBuffer.hex(bytes, at, end);
        if (unit < 0) {
            throw flaw(at, "expected four hexadecimal digits");
        }
        if (unit < 0xd800 || unit > 0xdfff) {
            return at + 6;
        }
        boolean second = at + 8 < end && bytes[at + 6] == '\\' && bytes[at + 7] == 'u';
        int low = second && unit < 0xdc00 ? TextBuffer.hex(bytes, at + 6, end) : 0;
        if (low < 0xdc00 || low > 0xdfff) {
            throw flaw(at, "half of a surrogate pair");
        }
        return at + 12;
    }

    private RejectedRecordException flaw(int at, String message) {
        boolean early = at >= end || (line && bytes[at] == '\n');
        return new RejectedRecordException(
                "invalid JSON: " + (early ? "it ends too early, " : "") + message + " at byte " + (at - start));
    }

    private int space(int from) {
        byte[] in = bytes;
        int at = from;
        while (at < end) {
            int c = in[at];
            if (c > ' ' || !(c == ' ' || c == '\t' || c == '\r' || (c == '\n' && !line))) {
                return at;
            }
            at++;
        }
        return at;
    }
}
