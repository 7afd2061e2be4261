package io.updraft.timeseries.aggregate;

import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.query.Measure;
import io.updraft.timeseries.query.Query;
import io.updraft.timeseries.query.TimeWindow;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Decimals;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A simple model of an aggregator. It keeps all records of each window, and computes with big numbers. */
final class AggregatorModel {

    /** A record: the values of the input's fields. */
    record Fact(Object[] values, long time) {}

    private final Query query;
    private final long size;
    private final long slide;
    private final long lateness;
    private final TreeMap<Long, List<Fact>> windows = new TreeMap<>();
    private final Map<Long, Integer> taken = new HashMap<>();
    private long closedTo = Long.MIN_VALUE / 2;

    AggregatorModel(Query query) {
        this.query = query;
        size = query.window().size().toMillis();
        slide = query.window().slide().toMillis();
        lateness = query.window().lateness().toMillis();
    }

    /** Adds a record; says the end of the latest window that has taken it. */
    long add(Fact fact) {
        long latest = Aggregator.LATE;
        long first = Math.floorDiv(fact.time - size, slide) * slide;
        for (long start = first; start <= fact.time; start += slide) {
            boolean inside = fact.time >= start && fact.time < start + size;
            if (inside && start + size + lateness > closedTo) {
                windows.computeIfAbsent(start, s -> new ArrayList<>()).add(fact);
                latest = start + size;
            }
        }
        return latest;
    }

    /** The windows whose result is to be taken, with what they hold by their dimensions' values. */
    Map<TimeWindow, Map<List<Object>, List<Object>>> close(long time) {
        closedTo = Math.max(closedTo, time);
        Map<TimeWindow, Map<List<Object>, List<Object>>> results = new HashMap<>();
        windows.forEach((start, facts) -> {
            if (start + size <= closedTo && taken.getOrDefault(start, 0) < facts.size()) {
                taken.put(start, facts.size());
                results.put(new TimeWindow(start, start + size), result(facts));
            }
        });
        windows.keySet().removeIf(start -> start + size + lateness <= closedTo);
        return results;
    }

    /** What all open windows hold that end after the last time. */
    Map<TimeWindow, Map<List<Object>, List<Object>>> unfinished() {
        Map<TimeWindow, Map<List<Object>, List<Object>>> results = new HashMap<>();
        windows.forEach((start, facts) -> {
            if (start + size > closedTo) {
                results.put(new TimeWindow(start, start + size), result(facts));
            }
        });
        return results;
    }

    private Map<List<Object>, List<Object>> result(List<Fact> facts) {
        Map<List<Object>, List<Fact>> groups = new HashMap<>();
        for (Fact fact : facts) {
            Object[] key = query.dimensions().stream()
                    .map(name -> fact.values[query.input().slot(name)])
                    .toArray();
            groups.computeIfAbsent(Arrays.asList(key), k -> new ArrayList<>()).add(fact);
        }
        Map<List<Object>, List<Object>> result = new HashMap<>();
        groups.forEach((key, group) -> {
            List<Object> measures = new ArrayList<>();
            query.measures().forEach(measure -> measures.add(compute(measure, group)));
            result.put(key, measures);
        });
        return result;
    }

    private Object compute(Measure measure, List<Fact> facts) {
        if (measure.field() == null) {
            return (long) facts.size();
        }
        int slot = query.input().slot(measure.field());
        long unit = Decimals.power(query.input().fields().get(slot).scale());
        List<Fact> with = facts.stream().filter(f -> f.values[slot] != null).toList();
        List<Object> values = with.stream().map(f -> f.values[slot]).toList();
        if (measure.function() == AggregateFunction.COUNT) {
            return (long) values.size();
        }
        if (measure.function() == AggregateFunction.DISTINCT
                || measure.function() == AggregateFunction.EXACT_DISTINCT) {
            return (long) new HashSet<>(values).size();
        }
        if (values.isEmpty()) {
            return null;
        }
        return switch (measure.function()) {
            case SUM -> values.get(0) instanceof Double ? (Object) sum(values).doubleValue() : exact(values);
            case MIN -> values.stream().min(AggregatorModel::compare).orElseThrow();
            case MAX -> values.stream().max(AggregatorModel::compare).orElseThrow();
            case AVG ->
                sum(values)
                        .divide(BigDecimal.valueOf(values.size() * unit), new MathContext(60))
                        .doubleValue();
            case STDDEV -> deviation(values) / unit;
            case FIRST ->
                with.stream().min(Comparator.comparingLong(Fact::time)).orElseThrow().values[slot];
            case LAST -> last(with).values[slot];
            case MODE -> mode(values);
            case QUANTILE_CONT -> continuous(values, measure.quantile(), measure.type(query.input()), unit);
            case QUANTILE_DISC -> sorted(values).get(rank(values, measure.quantile()));
            default -> quantile(values, measure.quantile()) / unit;
        };
    }

    private static Object mode(List<Object> values) {
        Map<Object, Integer> counts = new HashMap<>();
        values.forEach(value -> counts.merge(value, 1, Integer::sum));
        int most = counts.values().stream().max(Integer::compare).orElseThrow();
        return counts.keySet().stream()
                .filter(value -> counts.get(value) == most)
                .min(AggregatorModel::compare)
                .orElseThrow();
    }

    private static List<Object> sorted(List<Object> values) {
        return values.stream().sorted(AggregatorModel::compare).toList();
    }

    private static int rank(List<Object> values, double share) {
        return Math.max(0, (int) Math.ceil(share * values.size()) - 1);
    }

    private static Object continuous(List<Object> values, double share, FieldType type, long unit) {
        List<Object> sorted = sorted(values);
        double rank = share * (values.size() - 1);
        double lower = ((Number) sorted.get((int) Math.floor(rank))).doubleValue();
        double upper = ((Number) sorted.get((int) Math.ceil(rank))).doubleValue();
        double between = lower + (rank - Math.floor(rank)) * (upper - lower);
        return type == FieldType.TIME ? (Object) (long) Math.floor(between) : between / unit;
    }

    private static Fact last(List<Fact> facts) {
        Fact last = facts.get(0);
        for (Fact fact : facts) {
            last = fact.time >= last.time ? fact : last;
        }
        return last;
    }

    private static long exact(List<Object> values) {
        return values.stream()
                .map(v -> BigInteger.valueOf((Long) v))
                .reduce(BigInteger.ZERO, BigInteger::add)
                .longValueExact();
    }

    private static BigDecimal sum(List<Object> values) {
        return values.stream().map(AggregatorModel::big).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    private static BigDecimal big(Object value) {
        return value instanceof Long number ? BigDecimal.valueOf(number) : new BigDecimal((Double) value);
    }

    private static double deviation(List<Object> values) {
        BigDecimal count = BigDecimal.valueOf(values.size());
        BigDecimal squares = values.stream().map(v -> big(v).pow(2)).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal variance =
                squares.multiply(count).subtract(sum(values).pow(2)).divide(count.pow(2), new MathContext(80));
        return variance.sqrt(new MathContext(40)).doubleValue();
    }

    /** What KLL answers for few values: the least value whose rank reaches the share. */
    private static double quantile(List<Object> values, double share) {
        List<Double> sorted = values.stream()
                .map(v -> ((Number) v).doubleValue())
                .sorted(Comparator.naturalOrder())
                .toList();
        int rank = (int) Math.ceil(share * sorted.size());
        return sorted.get(Math.max(0, rank - 1));
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
        if (one instanceof String text) {
            return Arrays.compare(
                    text.codePoints().toArray(), ((String) other).codePoints().toArray());
        }
        return ((Comparable<Object>) one).compareTo(other);
    }

    /** The groups of a result, as {@link #close} has them. */
    static Map<List<Object>, List<Object>> read(WindowResult result) {
        Map<List<Object>, List<Object>> groups = new HashMap<>();
        result.forEach(row -> {
            Object[] key = new Object[result.dimensions()];
            Arrays.setAll(key, row::value);
            Object[] measures = new Object[row.schema().size() - key.length];
            Arrays.setAll(measures, i -> row.value(key.length + i));
            if (groups.put(Arrays.asList(key), Arrays.asList(measures)) != null) {
                throw new AssertionError("a group comes twice: " + Arrays.toString(key));
            }
        });
        if (groups.size() != result.size()) {
            throw new AssertionError(result.size() + " groups were reported, and there are " + groups.size());
        }
        return groups;
    }

    /** Puts a record into a row; text now as a string, now as bytes in the midst of others. */
    static void fill(RecordRow row, Fact fact, boolean bytes) {
        for (int slot = 0; slot < fact.values.length; slot++) {
            Object value = fact.values[slot];
            if (value == null) {
                row.setNone(slot);
            } else if (value instanceof Long number) {
                row.setLong(slot, number);
            } else if (value instanceof Double number) {
                row.setDouble(slot, number);
            } else if (bytes) {
                byte[] utf8 = ((String) value).getBytes(StandardCharsets.UTF_8);
                byte[] amid = new byte[utf8.length + 7];
                Arrays.fill(amid, (byte) 'x');
                System.arraycopy(utf8, 0, amid, 3, utf8.length);
                row.setText(slot, amid, 3, utf8.length);
            } else {
                row.setText(slot, (String) value);
            }
        }
    }
}
