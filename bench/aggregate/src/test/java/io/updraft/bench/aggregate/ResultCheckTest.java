package io.updraft.bench.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ResultCheckTest {

    private final MeasurementSequence firehose = new MeasurementSequence(1_000, 10, 2, 500, 60_000, 1);
    private final ExpectedResults model = ExpectedResults.of(firehose);
    private final ResultCheck check = new ResultCheck(model);

    @Test
    void shouldFindNothingWrongWithResultsOfTheModel() {
        for (int cell = 0; cell < model.cells(); cell++) {
            tell(cell, model.totals(cell));
        }
        check.result("{\"metric\":\"closing\",\"source\":\"partition-1\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(check.problems()).isEmpty();
    }

    @Test
    void shouldTakeTheWindowAsTextToo() {
        for (int cell = 0; cell < model.cells(); cell++) {
            check.result(
                    json('"' + Instant.ofEpochMilli(start(cell)).toString() + '"', cell % 10, model.totals(cell), ""));
        }
        assertThat(check.problems()).isEmpty();
    }

    @Test
    void shouldTellWhatIsMissing() {
        for (int cell = 1; cell < model.cells(); cell++) {
            tell(cell, model.totals(cell));
        }
        assertThat(check.problems()).containsExactly("1 of 20 results are missing");
    }

    @Test
    void shouldTellWhatIsThereTwice() {
        for (int cell = 0; cell < model.cells(); cell++) {
            tell(cell, model.totals(cell));
        }
        tell(3, model.totals(3));
        assertThat(check.problems()).containsExactly("1 results arrived more than once");
    }

    @Test
    void shouldTellADigitThatIsWrong() {
        Totals wrong = new Totals();
        wrong.add(model.totals(0));
        wrong.sum++;
        tell(0, wrong);
        for (int cell = 1; cell < model.cells(); cell++) {
            tell(cell, model.totals(cell));
        }
        assertThat(check.problems())
                .hasSize(3)
                .contains("1 results are wrong", "1 of 20 results are missing")
                .anyMatch(problem -> problem.startsWith("metric.000 of host-00000 in window 0 should have sum"));
    }

    @Test
    void shouldTellAnAverageThatIsWrongInItsLastDigit() {
        Totals right = model.totals(0);
        double wrong = Math.nextUp(right.avg());
        check.result(new String(json("" + MeasurementSequence.START, 0, right, ""), StandardCharsets.UTF_8)
                .replace("\"avg\":" + right.avg(), "\"avg\":" + wrong)
                .getBytes(StandardCharsets.UTF_8));
        assertThat(check.problems()).contains("1 results are wrong");
    }

    @Test
    void shouldTellAResultThatShouldNotBe() {
        check.result(json("" + (MeasurementSequence.START - 60_000), 0, model.totals(0), ""));
        assertThat(check.problems()).contains("1 results are wrong", "20 of 20 results are missing");
    }

    private void tell(int cell, Totals totals) {
        check.result(json("" + start(cell), cell % 10, totals, ",\"more\":true"));
    }

    private static long start(int cell) {
        return MeasurementSequence.START + cell / 10 * 60_000;
    }

    private static byte[] json(String start, int key, Totals totals, String more) {
        return ("{\"window_start\":" + start + ",\"metric\":\"" + MeasurementSequence.metric(key) + "\",\"source\":\""
                        + MeasurementSequence.source(key) + "\",\"sum\":" + totals.sum + ",\"avg\":" + totals.avg()
                        + ",\"min\":"
                        + totals.min + ",\"max\":" + totals.max + ",\"count\":" + totals.count + more + "}")
                .getBytes(StandardCharsets.UTF_8);
    }
}
