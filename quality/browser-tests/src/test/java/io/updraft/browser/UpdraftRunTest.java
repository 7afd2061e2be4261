package io.updraft.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.cli.UpdraftProcess;
import io.updraft.cli.programs.Endless;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdraftRunTest {

    @TempDir
    Path directory;

    @Test
    void shouldServeThePageAtTheAddressUntilItIsClosed() throws Exception {
        String jar = UpdraftProcess.jarOf(Endless.class, directory).toString();
        String[] arguments = {"run", "--view", "none", "--metrics-port", "0", jar, Endless.class.getName()};
        UpdraftProcess process;
        try (UpdraftRun run = UpdraftRun.start(directory, "metrics", arguments)) {
            process = run.process();
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(run.address())).build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, BodyHandlers.ofString())
                            .body())
                    .contains("updraft_");
        }
        assertThat(process.isAlive()).isFalse();
    }

    @Test
    void shouldSayWhyAnUpdraftWithoutThePageHasEnded() {
        assertThatThrownBy(() -> UpdraftRun.start(directory, "metrics", "run", "missing.jar", "Missing"))
                .hasMessageContaining("Updraft has ended")
                .hasMessageContaining("missing.jar");
    }
}
