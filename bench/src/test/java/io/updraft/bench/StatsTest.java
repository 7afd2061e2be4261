package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StatsTest {

    @Test
    void shouldTakeTheMiddleOfAnOddNumber() {
        assertThat(Stats.of(9, 1, 5)).isEqualTo(new Stats(5, 1, 9));
    }

    @Test
    void shouldTakeTheMeanOfTheMiddleTwoOfAnEvenNumber() {
        assertThat(Stats.of(4, 1, 2, 9).median()).isEqualTo(3);
    }

    @Test
    void shouldRelateTheSpreadToTheMedian() {
        assertThat(Stats.of(90, 100, 120).spread()).isCloseTo(0.3, within(1e-9));
        assertThat(Stats.of(0, 0).spread()).isZero();
    }

    @Test
    void shouldDivideMedians() {
        assertThat(Stats.of(50, 60, 10).ratioTo(Stats.of(2))).isEqualTo(25);
        assertThat(Stats.of(50).ratioTo(Stats.of(0))).isNaN();
    }

    @Test
    void shouldRefuseNoValues() {
        assertThatThrownBy(Stats::of).isInstanceOf(IllegalArgumentException.class);
    }
}
