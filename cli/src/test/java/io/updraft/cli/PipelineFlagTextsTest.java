package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ResourceBundle;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class PipelineFlagTextsTest {

    @Test
    void shouldExplainEachFlagAsTheTableOfKeysDoes() {
        CommandLine command = new CommandLine(new AggregateCommand());
        ResourceBundle texts = new PipelineFlagTexts();
        assertThat(texts.keySet())
                .allSatisfy(key -> assertThat(texts.getString(key)).endsWith("."));
        assertThat(command.getCommandSpec().options())
                .allSatisfy(option -> assertThat(option.description())
                        .as(option.longestName())
                        .isNotEmpty());
        assertThat(command.getCommandSpec().findOption("--lateness").description())
                .containsExactly(texts.getString("AGGREGATE.lateness"));
    }
}
