package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.WindowSpec;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random queries, records and times, the same for the same seed. */
final class RandomQueryCase {

    private static final String[] TEXTS = {
        "",
        "a",
        "ab",
        "abc",
        "abcd",
        "abcdefg",
        "abcdefgh",
        "abcdefghi",
        "carrier-0001",
        "carrier-0002",
        "carrier-0012",
        "a rather long text, longer than any page would be if pages were as short as this sentence",
        "é",
        "日本",
        "\uD83D\uDE00",
        "\uFFFD",
        "z",
        "Z",
        "\0",
        "\0\0"
    };
    private static final FieldType[] TYPES = FieldType.values();

    private final SplittableRandom random;
    private long now = -500;
    private long lastClose;

    RandomQueryCase(SplittableRandom random) {
        this.random = random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean chance(int in) {
        return random.nextInt(in) == 0;
    }

    /** A query of up to 12 fields; each function of each field that it is for may be in it. */
    Query query() {
        List<Schema.Field> fields = new ArrayList<>();
        int count = 1 + below(12);
        for (int i = 0; i < count; i++) {
            FieldType type = TYPES[below(TYPES.length)];
            fields.add(new Schema.Field("f" + i, type, type == FieldType.DECIMAL ? below(4) : 0));
        }
        Schema schema = new Schema(fields);
        List<String> dimensions = new ArrayList<>();
        List<Measure> measures = new ArrayList<>();
        measures.add(new Measure("rows", AggregateFunction.COUNT, null, 0));
        for (Schema.Field field : fields) {
            if (field.type() != FieldType.DOUBLE && below(3) == 0) {
                dimensions.add(field.name());
            }
            addMeasures(schema, field, measures);
        }
        if (chance(2)) {
            measures.remove(0);
        }
        if (measures.isEmpty()) {
            measures.add(new Measure("rows", AggregateFunction.COUNT, null, 0));
        }
        return new Query(schema, dimensions, measures, window());
    }

    private void addMeasures(Schema schema, Schema.Field field, List<Measure> measures) {
        for (AggregateFunction function : AggregateFunction.values()) {
            Measure measure = new Measure(
                    function + "-" + field.name(), function, field.name(), function.hasFraction() ? below(5) / 4.0 : 0);
            if (chance(2) && fits(measure, schema)) {
                measures.add(measure);
            }
        }
    }

    private static boolean fits(Measure measure, Schema schema) {
        try {
            measure.type(schema);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private WindowSpec window() {
        boolean tumbling = chance(2);
        int slide = 1 + below(tumbling ? 300 : 100);
        int size = tumbling ? slide : slide * (1 + below(6));
        return new WindowSpec(
                Duration.ofMillis(size), Duration.ofMillis(slide), Duration.ofMillis(chance(2) ? 0 : below(200)));
    }

    /** A record somewhat before or after the ones before it. */
    AggregatorModel.Fact fact(Query query) {
        now += below(12);
        Object[] values = new Object[query.input().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = chance(5) ? null : value(query.input().fields().get(i).type());
        }
        return new AggregatorModel.Fact(values, now - below(below(150) + 1));
    }

    private Object value(FieldType type) {
        return switch (type) {
            case TEXT -> TEXTS[below(TEXTS.length)];
            case BOOLEAN -> (long) below(2);
            case TIME -> 1_700_000_000_000L + below(20);
            case DECIMAL -> chance(10) ? Decimals.power(18) / 1000 - below(3) : (long) below(20) - 10;
            case LONG -> chance(10) ? Long.MAX_VALUE / 1000 - below(3) : (long) below(20) - 10;
            case DOUBLE -> chance(10) ? below(100) * 1e9 / 7 : (below(2000) - 1000) / 100.0;
        };
    }

    /** A time up to which windows are to be closed. */
    long closeTime() {
        lastClose = now - below(200);
        return lastClose;
    }

    long lastClose() {
        return lastClose;
    }
}
