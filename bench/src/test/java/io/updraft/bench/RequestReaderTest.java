package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Shape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class RequestReaderTest {

    @Test
    void shouldMeasureTheSuiteWhenNoShapeIsGiven() {
        assertThat(read().suite()).isTrue();
        assertThat(read("--vs", "storm", "--testTime", "3").suite()).isTrue();
        assertThat(read("--ack").suite()).isFalse();
        assertThat(read("--topology", "sol").suite()).isFalse();
    }

    @Test
    void shouldAlwaysTrackTheMessagesOfTrident() {
        assertThat(read("--topology", "tridentwords").shape())
                .isEqualTo(new Shape("tridentwords", 1, 4, 1, 10, true, 0));
        assertThat(read("--topology", "windowsum").shape()).isEqualTo(new Shape("windowsum", 1, 1, 1, 10, false, 0));
    }

    @Test
    void shouldHaveOneTaskWithWindowsUnlessMoreAreWanted() {
        assertThat(read("--topology", "windowsum", "--bolt=4").shape())
                .isEqualTo(new Shape("windowsum", 1, 4, 1, 10, false, 0));
        assertThat(read("--topology", "windowsum").shape().bolts()).isOne();
    }

    @Test
    void shouldTakeTheOptionsOfStormPerfTest() {
        BenchRequest request = read(
                "--spout",
                "3",
                "--bolt",
                "4",
                "-l",
                "2",
                "--messageSize",
                "100",
                "--ack",
                "--ackers",
                "2",
                "--maxSpoutPending",
                "500",
                "--testTime",
                "60",
                "--pollFreq",
                "5");

        assertThat(request.shape()).isEqualTo(new Shape("sol", 3, 4, 2, 100, true, 0));
        assertThat(request.ackers()).isEqualTo(2);
        assertThat(request.maxSpoutPending()).isEqualTo(500);
        assertThat(request.timing()).isEqualTo(new BenchRequest.Timing(5000, 60_000, 5000, 3));
        assertThat(request.peers()).isEmpty();
    }

    @Test
    void shouldKnowTheWordCount() {
        assertThat(read("--topology", "wordcount").shape().bolts()).isEqualTo(4);
    }

    @Test
    void shouldTakeTheExponentOfTheFrequenciesOfWords() {
        assertThat(read("--topology", "wordcount").shape().zipf()).isEqualTo(1);
        assertThat(read("--topology", "wordcount", "--zipf=0").shape().zipf()).isZero();
        assertThat(read("--topology", "wordcount", "--zipf=1.2", "--ack").shape())
                .isEqualTo(new Shape("wordcount", 1, 4, 1, 10, true, 0, 1.2));
    }

    @Test
    void shouldCompareWithTheListedRuntimes() {
        assertThat(read("--vs", "storm", "--ack").peers()).containsExactly(BenchSide.STORM);
        assertThat(read("--vs", "flink", "--topology", "wordcount").peers()).containsExactly(BenchSide.FLINK);
        assertThat(read("--vs", "flink,storm", "--topology", "wordcount", "--workers", "1")
                        .peers())
                .containsExactly(BenchSide.STORM, BenchSide.FLINK);
    }

    @Test
    void shouldTrackWhatIsEmittedByRate() {
        Shape shape = read("--rate", "1000").shape();

        assertThat(shape.acked()).isTrue();
        assertThat(shape.openLoop()).isTrue();
    }

    @Test
    void shouldSweepSeveralSizesWithoutRows() {
        BenchRequest request = read("--messageSize", "10,100");

        assertThat(request.sweep()).isTrue();
        assertThat(request.timing().pollMillis()).isZero();
    }

    @Test
    void shouldReadConfigurationValuesAsJsonWhereTheyAre() {
        BenchRequest request =
                read("--ack", "-c", "a=1", "-c", "b=true", "-c", "c=some text", "--storm-conf", "d=[1, 2]");

        assertThat(request.conf())
                .containsEntry("a", 1L)
                .containsEntry("b", true)
                .containsEntry("c", "some text");
        assertThat(request.stormConf()).containsEntry("d", List.of(1L, 2L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--spout 0 | --spout 0: must be at least 1",
                "-l -1 | -l -1: must be at least 1",
                "--runs 0 | --runs 0: must be at least 1",
                "--rate 0 | --rate 0: must be at least 1",
                "--ack --warmup -1 | --warmup -1: must be at least 0",
                "--topology nope | --topology nope: 'nope' is not a topology",
                "--vs spark --ack | --vs spark: 'spark' is not a runtime; use storm, flink or both",
                "--vs storm, --ack | --vs storm,: '' is not a runtime",
                "--vs flink | --vs flink: the suite runs on Storm only: add --topology wordcount",
                "--suite --vs storm,flink | --vs storm,flink: the suite runs on Storm only",
                "--vs flink --ack | --vs flink: only --topology wordcount runs on Flink",
                "--vs flink --topology sol --rate 5 | --vs flink: only --topology wordcount runs on Flink",
                "--vs flink --topology wordcount --rate 5 | --rate 5: works only with",
                "--vs flink --topology wordcount --workers 2 | --vs flink: Flink runs in one process",
                "--topology wordcount --zipf -0.1 | --zipf -0.1: must be a number from 0 to 10",
                "--topology wordcount --zipf NaN | --zipf NaN: must be a number from 0 to 10",
                "--topology wordcount --zipf 1e400 | --zipf Infinity: must be a number from 0 to 10",
                "--topology wordcount --zipf 10.5 | --zipf 10.5: must be a number from 0 to 10",
                "--topology wordcount --zipf steep | Invalid value for option '--zipf'",
                "--topology tridentwords --zipf 1.2 | --zipf 1.2: works only with --topology wordcount",
                "--zipf 1.2 --ack | --zipf 1.2: works only with --topology wordcount",
                "--suite --zipf 1.2 | --suite : measures fixed topologies",
                "--format xml | --format xml: must be table or json",
                "--heap lots | --heap lots: must be a number",
                "--plot picture.gif | --plot picture.gif: must be a .png",
                "--suite --ack | --suite : measures fixed topologies",
                "--topology wordcount --rate 5 | --rate 5: works only with",
                "--topology wordcount --messageSize 1,2 | --messageSize 1,2: wordcount has",
                "--messageSize 3..2 | --messageSize 3..2: a range is",
                "--spout many | Invalid value for option '--spout",
                "--unknown | Unknown option: '--unknown'"
            })
    void shouldNameTheOptionAndTheValueInOneLine(String arguments, String complaint) {
        StringWriter err = new StringWriter();
        int status = BenchCommand.commandLine().setErr(new PrintWriter(err)).execute(arguments.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(err.toString().strip()).contains(complaint).hasLineCount(1);
    }

    private static BenchRequest read(String... arguments) {
        BenchCommand command = new BenchCommand();
        new CommandLine(command).parseArgs(arguments);
        return new RequestReader(command).read();
    }
}
