package io.updraft.timeseries.query;

import io.updraft.timeseries.expression.Expression;
import io.updraft.timeseries.expression.ExpressionValue;
import io.updraft.timeseries.expression.Expressions;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.Schema;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** An order of rows. One thread only. */
final class Ranking {

    private final List<Selection.Order> order;
    private final List<Expression> expressions;
    private final Schema.Field[] fields;
    private final RecordRow keys;
    private final ExpressionValue value = new ExpressionValue();

    Ranking(List<Selection.Order> order, Schema schema) {
        this.order = order;
        expressions = order.stream()
                .map(each -> Expressions.expression(each.expression(), schema))
                .toList();
        fields = new Schema.Field[expressions.size()];
        for (int i = 0; i < fields.length; i++) {
            fields[i] = expressions.get(i).field("key " + i);
        }
        keys = new RecordRow(new Schema(List.of(fields)));
    }

    /** Returns the values of a row that decide its rank. */
    Object[] keys(RecordRow row) {
        Object[] found = new Object[fields.length];
        for (int i = 0; i < found.length; i++) {
            expressions.get(i).evaluate(row, value);
            value.put(keys, i, fields[i].type());
            found[i] = keys.value(i);
        }
        return found;
    }

    /** Returns the order of the values of rows that {@link #keys} has returned. */
    Comparator<Object[]> comparator() {
        return (one, other) -> {
            for (int i = 0; i < fields.length; i++) {
                int compared = compare(one[i], other[i], order.get(i).descending());
                if (compared != 0) {
                    return compared;
                }
            }
            return 0;
        };
    }

    static Object[] values(RecordRow row) {
        Object[] values = new Object[row.schema().size()];
        Arrays.setAll(values, row::value);
        return values;
    }

    /** Compares the first values of two rows. */
    static int compare(Object[] one, Object[] other, int count) {
        for (int i = 0; i < count; i++) {
            int compared = compare(one[i], other[i], false);
            if (compared != 0) {
                return compared;
            }
        }
        return 0;
    }

    /** Compares two values of one type. No value comes last. */
    static int compare(Object one, Object other, boolean descending) {
        if (one == null || other == null) {
            return Boolean.compare(one == null, other == null);
        }
        int compared = one instanceof String text
                ? compareTexts(text, (String) other)
                : one instanceof Long number
                        ? Long.compare(number, (Long) other)
                        : Double.compare((Double) one, (Double) other);
        return descending ? -compared : compared;
    }

    /** Compares the code points, which is the order of the bytes of UTF-8. */
    private static int compareTexts(String one, String other) {
        int length = Math.min(one.length(), other.length());
        for (int i = 0; i < length; i++) {
            char a = one.charAt(i);
            char b = other.charAt(i);
            if (a != b) {
                // The halves of a code point beyond 16 bits come after all other characters.
                boolean isBeyond = Character.isSurrogate(a);
                return isBeyond == Character.isSurrogate(b) ? Character.compare(a, b) : isBeyond ? 1 : -1;
            }
        }
        return Integer.compare(one.length(), other.length());
    }
}
