package io.updraft.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.engine.plan.EngineSettings.OnError;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EngineSettingsTest {

    private static EngineSettings with(String key, Object value) {
        Map<String, Object> conf = new HashMap<>();
        conf.put(key, value);
        return EngineSettings.of(conf);
    }

    @Test
    void shouldHaveStormsDefaults() {
        EngineSettings settings = EngineSettings.of(Map.of());
        assertThat(settings.acking()).isTrue();
        assertThat(settings.timeouts()).isTrue();
        assertThat(settings.timeoutNanos()).isEqualTo(30_000_000_000L);
        assertThat(settings.loops()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(settings.onError()).isEqualTo(OnError.RESTART);
        assertThat(settings.maxReplays()).isZero();
        assertThat(settings.deadLetterFile()).isNull();
        assertThat(settings.rebalance()).isTrue();
        assertThat(settings.idle()).isEqualTo(EngineSettings.Idle.BALANCED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "updraft.loops",
                "topology.acker.executors",
                "topology.enable.message.timeouts",
                "topology.message.timeout.secs",
                "updraft.on.error",
                "updraft.max.replays",
                "updraft.dead.letter.file",
                "updraft.queue.high.water",
                "updraft.rebalance",
                "updraft.idle"
            })
    void shouldTakeNullForTheDefault(String key) {
        assertThat(with(key, null)).isEqualTo(EngineSettings.of(Map.of()));
    }

    @Test
    void shouldReadNumbersOfAnyKind() {
        assertThat(with(EngineSettings.LOOPS, 3L).loops()).isEqualTo(3);
        assertThat(with(EngineSettings.LOOPS, 3.0).loops()).isEqualTo(3);
        assertThat(with(EngineSettings.LOOPS, " 3 ").loops()).isEqualTo(3);
        assertThat(with(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, Integer.MAX_VALUE).timeoutNanos())
                .isEqualTo(Integer.MAX_VALUE * 1_000_000_000L);
    }

    @Test
    void shouldReadTruthOfAnyKind() {
        assertThat(with(EngineSettings.REBALANCE, false).rebalance()).isFalse();
        assertThat(with(EngineSettings.REBALANCE, "false").rebalance()).isFalse();
        assertThat(with(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, "false").timeouts())
                .isFalse();
    }

    @Test
    void shouldTurnAckingOffWithZeroAckers() {
        assertThat(with(Config.TOPOLOGY_ACKER_EXECUTORS, 0).acking()).isFalse();
        assertThat(with(Config.TOPOLOGY_ACKER_EXECUTORS, 4).acking()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"restart, RESTART", "fail-tuple, FAIL_TUPLE", "die, DIE", "DIE, DIE"})
    void shouldReadWhatAnErrorDoes(String value, OnError expected) {
        assertThat(with(EngineSettings.ON_ERROR, value).onError()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "updraft.loops, 0, 1",
        "updraft.loops, -1, 1",
        "updraft.loops, two, 1",
        "updraft.loops, 1.5, 1",
        "updraft.loops, 99999999999, 1",
        "updraft.loops, '', 1",
        "topology.acker.executors, -1, 0",
        "topology.message.timeout.secs, 0, 1",
        "updraft.max.replays, -1, 0",
        "updraft.queue.high.water, 0, 1"
    })
    void shouldRefuseANumberThatMakesNoSense(String key, String value, int atLeast) {
        String message = key + " is '" + value + "': it must be a whole number of at least " + atLeast;
        assertThatThrownBy(() -> with(key, value))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseNumbersThatAreNotWhole() {
        assertThatThrownBy(() -> with(EngineSettings.LOOPS, 1.5))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("updraft.loops is '1.5': it must be a whole number of at least 1");
        assertThatThrownBy(() -> with(EngineSettings.LOOPS, Double.NaN))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("updraft.loops is 'NaN': it must be a whole number of at least 1");
    }

    @Test
    void shouldRefuseTruthThatIsNone() {
        assertThatThrownBy(() -> with(EngineSettings.REBALANCE, "maybe"))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("updraft.rebalance is 'maybe': it must be true or false");
        assertThatThrownBy(() -> with(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, 1))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("topology.enable.message.timeouts is '1': it must be true or false");
    }

    @Test
    void shouldRefuseAnUnknownWayToTreatErrors() {
        assertThatThrownBy(() -> with(EngineSettings.ON_ERROR, "ignore"))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("updraft.on.error is 'ignore': it must be 'restart', 'fail-tuple' or 'die'");
    }

    @Test
    void shouldReadWhatAnIdleLoopPrefers() {
        assertThat(with(EngineSettings.IDLE, "Latency").idle()).isEqualTo(EngineSettings.Idle.LATENCY);
        assertThatThrownBy(() -> with(EngineSettings.IDLE, "spin"))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("updraft.idle is 'spin': it must be 'balanced', 'latency' or 'saving'");
    }

    @Test
    void shouldRefuseADeadLetterFileThatIsNoName() {
        assertThatThrownBy(() -> with(EngineSettings.DEAD_LETTER_FILE, 7))
                .isInstanceOf(InvalidTopology.class)
                .hasMessage("updraft.dead.letter.file is '7': it must be the name of a file");
    }
}
