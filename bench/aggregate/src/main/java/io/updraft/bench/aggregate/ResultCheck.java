package io.updraft.bench.aggregate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Compares results with the model, exactly, and counts missing and duplicate results. One thread only. */
final class ResultCheck {

    private static final int PROBLEMS = 5;
    private static final Pattern METRIC = Pattern.compile("metric\\.([0-9]+)");
    private static final Pattern SOURCE = Pattern.compile("host-([0-9]+)");
    private static final int METRICS = 100;

    private final ExpectedResults model;
    private final BitSet seen;
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<String> problems = new ArrayList<>();
    private long wrong;
    private long twice;
    private long found;

    ResultCheck(ExpectedResults model) {
        this.model = model;
        this.seen = new BitSet(model.cells());
    }

    /** Checks a result: JSON with window_start, metric, source, sum, avg, min, max and count. */
    void result(byte[] json) {
        try {
            JsonNode result = mapper.readTree(json);
            if (!result.path("metric").asText().equals(MeasurementSequence.CLOSING)) {
                compare(result);
            }
        } catch (JsonProcessingException e) {
            wrong("a result is not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void compare(JsonNode result) {
        OptionalInt key = key(result);
        int cell = key.isEmpty() ? -1 : model.cell(start(result), key.getAsInt());
        Totals expected = cell < 0 ? null : model.totals(cell);
        if (expected == null) {
            wrong("unexpected result " + result);
        } else if (!equal(expected, result)) {
            wrong(model.name(cell) + " should have " + expected + ", not " + result);
        } else if (seen.get(cell)) {
            twice++;
        } else {
            seen.set(cell);
            found++;
        }
    }

    private static boolean equal(Totals expected, JsonNode result) {
        return isLong(result.path("sum"), expected.sum)
                && isLong(result.path("min"), expected.min)
                && isLong(result.path("max"), expected.max)
                && isLong(result.path("count"), expected.count)
                && result.path("avg").isNumber()
                && Double.compare(result.path("avg").doubleValue(), expected.avg()) == 0;
    }

    private static boolean isLong(JsonNode number, long expected) {
        return number.isIntegralNumber() && number.longValue() == expected;
    }

    /** Reads the window's start, given in milliseconds or as ISO 8601 text. */
    private static long start(JsonNode result) {
        JsonNode start = result.path("window_start");
        return start.isNumber()
                ? start.longValue()
                : java.time.Instant.parse(start.asText()).toEpochMilli();
    }

    private static OptionalInt key(JsonNode result) {
        Matcher metric = METRIC.matcher(result.path("metric").asText());
        Matcher source = SOURCE.matcher(result.path("source").asText());
        return metric.matches() && source.matches()
                ? OptionalInt.of(Integer.parseInt(source.group(1)) * METRICS + Integer.parseInt(metric.group(1)))
                : OptionalInt.empty();
    }

    private void wrong(String problem) {
        if (wrong++ < PROBLEMS) {
            problems.add(problem);
        }
    }

    /** {@return a sentence for each problem; empty if every result arrived once and is right} */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        if (wrong > 0) {
            all.add(wrong + " results are wrong");
        }
        if (twice > 0) {
            all.add(twice + " results arrived more than once");
        }
        long missing = model.results() - found;
        if (missing > 0) {
            all.add(missing + " of " + model.results() + " results are missing");
        }
        return all;
    }
}
