package io.updraft.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTableTest {

    private final ReportTable table = new ReportTable(
            "Title",
            List.of("name", "messages/s", "remark"),
            List.of(List.of("a", "1,000", "says \"hello\""), List.of("longer", "20", "")));

    @Test
    void shouldAlignNumbersRightAndWordsLeft() {
        assertThat(table.toText()).isEqualTo("""
                        Title
                        name    messages/s  remark
                        ------  ----------  ------------
                        a            1,000  says "hello"
                        longer          20""");
    }
}
