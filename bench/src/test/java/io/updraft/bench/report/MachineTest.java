package io.updraft.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {

    @Test
    void shouldWarnOfAMachineThatIsTooSmallOrBusy() {
        assertThat(Machine.warnings(4, 0.5)).isEmpty();
        assertThat(Machine.warnings(1, 0.1)).singleElement().asString().contains("only 1 core");
        assertThat(Machine.warnings(2, 1.7)).singleElement().asString().contains("load average is 1.7");
    }
}
