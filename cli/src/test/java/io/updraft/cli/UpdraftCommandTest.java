package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.Command;

class UpdraftCommandTest {
    private static Set<String> commands(String... args) {
        return UpdraftCommand.commandLine(args).getSubcommands().keySet();
    }

    @Test
    void shouldReadTheOptionsOfTheNamedCommandOnly() {
        assertThat(commands("aggregate", "--from", "run")).containsExactly("aggregate");
        assertThat(commands("--stacktrace", "ps")).containsExactly("ps");
        assertThat(commands("--version")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "--help", "help ps", "generate-completion", "kil", "--vresion", "bench", "--stacktrace"})
    void shouldReadAllCommandsForALineThatNamesNone(String line) {
        assertThat(commands(line.split(" ")))
                .isEqualTo(UpdraftCommand.commandLine().getSubcommands().keySet());
    }

    @Test
    void shouldRegisterEachCommandByItsOwnName() {
        UpdraftCommand.commandLine()
                .getSubcommands()
                .forEach((name, command) -> assertThat(command.getCommandSpec()
                                .userObject()
                                .getClass()
                                .getAnnotation(Command.class)
                                .name())
                        .isEqualTo(name));
    }
}
