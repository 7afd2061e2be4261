package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;

/** What is tried on a Storm cluster. */
class StormClusterSettingsTest {

    @Test
    void shouldTryEachBatchWithWhatKeepsItFull() {
        assertThat(StormClusterSettings.candidates(PromiseSuite.ONE_HOP, 0))
                .hasSizeBetween(5, 12)
                .doesNotHaveDuplicates()
                .contains(StormClusterSettings.usual(PromiseSuite.ONE_HOP, 0))
                .allSatisfy(settings -> assertThat(number(settings, Config.TOPOLOGY_MAX_SPOUT_PENDING))
                        .isGreaterThan(number(settings, Config.TOPOLOGY_PRODUCER_BATCH_SIZE)));
    }

    @Test
    void shouldLeaveThePendingMessagesToTheUserAndTryNothingTwice() {
        List<PeerSettings> candidates = StormClusterSettings.candidates(PromiseSuite.ONE_HOP, 1000);
        assertThat(candidates)
                .doesNotHaveDuplicates()
                .contains(StormClusterSettings.usual(PromiseSuite.ONE_HOP, 1000))
                .allSatisfy(settings -> assertThat(number(settings, Config.TOPOLOGY_MAX_SPOUT_PENDING))
                        .isEqualTo(1000));
        assertThat(candidates)
                .extracting(settings -> number(settings, Config.TOPOLOGY_PRODUCER_BATCH_SIZE))
                .contains(1, 100);
    }

    @Test
    void shouldHandOnSinglyWhereFewMessagesAreUnderWay() {
        assertThat(number(StormClusterSettings.usual(PromiseSuite.ONE_HOP, 1000), Config.TOPOLOGY_PRODUCER_BATCH_SIZE))
                .isEqualTo(1);
        assertThat(number(StormClusterSettings.usual(PromiseSuite.ONE_HOP, 5000), Config.TOPOLOGY_PRODUCER_BATCH_SIZE))
                .isEqualTo(100);
    }

    @Test
    void shouldNotWaitForBatchesThatCannotFill() {
        assertThat(StormClusterSettings.candidates(PromiseSuite.ONE_HOP, 100))
                .allSatisfy(settings -> assertThat(number(settings, Config.TOPOLOGY_PRODUCER_BATCH_SIZE))
                        .isLessThan(100));
        assertThat(number(StormClusterSettings.usual(PromiseSuite.MANY, 0), Config.TOPOLOGY_PRODUCER_BATCH_SIZE))
                .isEqualTo(1);
    }

    @Test
    void shouldLimitNothingWhereMessagesAreNotTracked() {
        assertThat(StormClusterSettings.candidates(PromiseSuite.UNTRACKED, 0))
                .doesNotHaveDuplicates()
                .allSatisfy(
                        settings -> assertThat(settings.conf()).doesNotContainKey(Config.TOPOLOGY_MAX_SPOUT_PENDING));
    }

    private static int number(PeerSettings settings, String key) {
        return (Integer) settings.conf().get(key);
    }
}
