package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Endless;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the console of a cluster, with the cluster and the console in processes of their own. */
@Tag("one-jdk")
class UiTest {
    private static final Pattern NIMBUS = Pattern.compile("Nimbus listens on (localhost:\\d+)");
    private static final Pattern CONSOLE = Pattern.compile("console: (http://localhost:\\d+/)");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    @Tag("long")
    @Test
    void shouldServeTheConsoleOfACluster() throws Exception {
        UpdraftProcess cluster = UpdraftProcess.start(
                directory,
                "run",
                "--nimbus-port=0",
                "--no-ui",
                "--view=none",
                UpdraftProcess.jarOf(Endless.class, directory).toString(),
                Endless.class.getName());
        String nimbus = find(cluster, NIMBUS, "Nimbus listens on");
        cluster.awaitOut("submitted");
        UpdraftProcess ui = UpdraftProcess.start(directory, "ui", "--nimbus", nimbus, "--ui-port", "0");
        String console = find(ui, CONSOLE, "console: ") + "console/api/";

        assertThat(get(console + "session"))
                .contains("\"kind\":\"cluster\"", "\"program\":\"Storm cluster " + nimbus + "\"");
        assertThat(get(console + "overview")).contains("\"name\":\"numbers\"", "\"workersOf\":\"updraft\"");
        assertThat(get(console + "live?topology=numbers")).contains("[\"sink\",\"bolt\",1,1,");
        assertThat(get(console + "graph?topology=numbers")).contains("Numbers", "\"grouping\":\"shuffle\"");
        assertThat(post(console + "deactivate", "{\"topology\":\"numbers\"}")).contains("is inactive");
        while (!get(console + "overview").contains("\"state\":\"inactive\"")) {
            Thread.onSpinWait();
        }

        cluster.signal("KILL");
        while (!get(console + "overview").contains("\"error\":\"Nimbus at " + nimbus + " cannot be reached")) {
            Thread.onSpinWait();
        }
        ui.signal("INT");
        assertThat(ui.awaitExit()).isZero();
    }

    @Test
    void shouldSayInOneLineThatThereIsNoNimbus() {
        InProcessCommand away = InProcessCommand.run("ui", "--nimbus", "localhost:1", "--ui-port", "0");
        InProcessCommand none = InProcessCommand.run("ui");
        InProcessCommand off = InProcessCommand.run("ui", "--nimbus", "localhost:1", "--no-ui");

        assertThat(away.exitCode()).isEqualTo(1);
        assertThat(away.err()).singleElement().asString().contains("Nimbus at localhost:1 cannot be reached");
        assertThat(none.exitCode()).isEqualTo(2);
        assertThat(none.err()).singleElement().asString().contains("--nimbus");
        assertThat(off.exitCode()).isEqualTo(2);
    }

    private static String find(UpdraftProcess process, Pattern pattern, String text) throws InterruptedException {
        process.awaitErr(text);
        return process.err().stream()
                .map(pattern::matcher)
                .filter(Matcher::find)
                .findFirst()
                .orElseThrow()
                .group(1);
    }

    private String get(String address) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address)).build());
    }

    private String post(String address, String body) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(URI.create(address))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private String send(HttpRequest request) throws IOException, InterruptedException {
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
