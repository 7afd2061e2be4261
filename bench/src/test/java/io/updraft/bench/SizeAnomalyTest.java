package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SizeAnomalyTest {

    @Test
    void shouldFindNothingWhereThroughputFalls() {
        assertThat(SizeAnomaly.find(List.of(at(10, 100, 102, 104), at(100, 90, 91, 92), at(1000, 40, 41, 42))))
                .isEmpty();
    }

    @Test
    void shouldFindTheLargestRise() {
        SizeAnomaly anomaly = SizeAnomaly.find(
                        List.of(at(10, 50, 51, 52), at(100, 100, 101, 102), at(1000, 60, 61, 62)))
                .orElseThrow();

        assertThat(anomaly.smaller().shape().messageSize()).isEqualTo(10);
        assertThat(anomaly.larger().shape().messageSize()).isEqualTo(100);
        assertThat(anomaly).hasToString("throughput rises by 98.0% from 10 B to 100 B");
    }

    @Test
    void shouldFindARiseBetweenSizesThatAreNotNeighbours() {
        assertThat(SizeAnomaly.find(List.of(at(10, 100), at(20, 104), at(40, 108))))
                .isPresent();
    }

    @Test
    void shouldTakeOverlappingRunsForNoise() {
        assertThat(SizeAnomaly.find(List.of(at(10, 80, 90, 130), at(100, 120, 121, 122))))
                .isEmpty();
    }

    @Test
    void shouldTakeARiseWithinTheSpreadOfTheSweepForNoise() {
        assertThat(SizeAnomaly.find(List.of(at(10, 90, 91, 92), at(100, 100, 101, 102), at(1000, 60, 80, 85))))
                .isEmpty();
    }

    @Test
    void shouldTakeLessThanFivePercentForNoise() {
        assertThat(SizeAnomaly.verdict(List.of(at(10, 100), at(100, 104)))).startsWith("throughput never rises");
    }

    private static Series at(int size, double... messagesPerSecond) {
        return SampleSeries.series(BenchSide.UPDRAFT, SampleSeries.shape(size), messagesPerSecond);
    }
}
