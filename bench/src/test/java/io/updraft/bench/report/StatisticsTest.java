package io.updraft.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StatisticsTest {

    @Test
    void shouldTakeTheMiddleOfAnOddNumber() {
        assertThat(Statistics.of(9, 1, 5)).isEqualTo(new Statistics(5, 1, 9));
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleTwoOfAnEvenNumber() {
        assertThat(Statistics.of(4, 1, 2, 9).median()).isEqualTo(3);
    }

    @Test
    void shouldRelateTheSpreadToTheMedian() {
        assertThat(Statistics.of(90, 100, 120).spread()).isCloseTo(0.3, within(1e-9));
        assertThat(Statistics.of(0, 0).spread()).isZero();
    }

    @Test
    void shouldDivideMedians() {
        assertThat(Statistics.of(50, 60, 10).ratioTo(Statistics.of(2))).isEqualTo(25);
        assertThat(Statistics.of(50).ratioTo(Statistics.of(0))).isNaN();
    }

    @Test
    void shouldRefuseNoValues() {
        assertThatThrownBy(Statistics::of).isInstanceOf(IllegalArgumentException.class);
    }
}
