package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.exit.UserError;
import io.updraft.console.access.UiSettings;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class UiOptionsTest {
    @Command
    private static final class Holder {
        @Mixin
        private UiOptions options = new UiOptions();
    }

    private static UiOptions parse(String args) {
        Holder holder = new Holder();
        new CommandLine(holder).parseArgs(args.isEmpty() ? new String[0] : args.split(" "));
        return holder.options;
    }

    @Test
    void shouldServeAConsoleByDefault() {
        UiOptions options = parse("");
        assertThat(options.complaint()).isNull();
        assertThat(options.settings())
                .isEqualTo(new UiSettings(true, false, null, null, List.of(), List.of(), false, null, null));
        assertThat(parse("--no-ui").complaint()).isNull();
        assertThat(parse("--no-ui").settings().enabled()).isFalse();
    }

    @Test
    void shouldReadAllOptions() {
        UiOptions options = parse("--ui-port 0 --ui-host h --ui-users alice,bob --ui-name n --ui-name m --ui-read-only"
                + " --ui-cert c.pem --ui-key k.pem");
        assertThat(options.complaint()).isNull();
        assertThat(options.settings())
                .isEqualTo(new UiSettings(
                        true,
                        true,
                        0,
                        "h",
                        List.of("alice", "bob"),
                        List.of("n", "m"),
                        true,
                        Path.of("c.pem"),
                        Path.of("k.pem")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--no-ui --ui-port 1", "--no-ui --ui-read-only", "--ui-cert c.pem", "--ui-key k.pem"})
    void shouldComplain(String args) {
        assertThat(parse(args).complaint()).isNotEmpty().doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536"})
    void shouldRefuseANumberThatIsNoPort(String port) {
        UiOptions options = parse("--ui-port=" + port);
        assertThatThrownBy(options::settings).isInstanceOf(UserError.class).hasMessageContaining("--ui-port");
    }
}
