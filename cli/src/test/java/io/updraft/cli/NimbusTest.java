package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.programs.Endless;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the command as a server, in a separate process, with Storm's clients in this process. */
class NimbusTest {
    private static final Pattern LISTENS = Pattern.compile("updraft: Nimbus listens on localhost:(\\d+)");

    @TempDir
    Path directory;

    @Test
    void shouldRunWhatClientsSubmitUntilItIsStopped() throws Exception {
        UpdraftProcess server = UpdraftProcess.start(directory, "run", "--nimbus-port", "0", "--view", "plain");
        int port = portOf(server);

        submit(port);
        server.awaitOut("running");
        try (NimbusClient client = client(port)) {
            assertThat(client.getClient().getTopologySummaryByName("numbers").get_status())
                    .isEqualTo("ACTIVE");
            KillOptions atOnce = new KillOptions();
            atOnce.set_wait_secs(0);
            client.getClient().killTopologyWithOpts("numbers", atOnce);
        }
        server.awaitOut("sink cleaned up");
        server.awaitErr("numbers ran ");
        server.signal("INT");

        assertThat(server.awaitExit()).isZero();
        assertThat(server.err()).noneMatch(line -> line.contains("Exception"));
    }

    @Test
    void shouldOpenThePortsOfDrpcToo() throws Exception {
        int http = freePort();
        UpdraftProcess server = UpdraftProcess.start(
                directory,
                "run",
                "--nimbus-port=0",
                "--drpc-port=" + freePort(),
                "--drpc-invocations-port=" + freePort(),
                "--drpc-http-port=" + http,
                "--view=none");
        server.awaitErr("DRPC by HTTP listens on localhost:" + http);

        URLConnection connection =
                URI.create("http://localhost:" + http + "/drpc/").toURL().openConnection();

        assertThat(((HttpURLConnection) connection).getResponseCode()).isEqualTo(404);
        server.signal("TERM");
        assertThat(server.awaitExit()).isZero();
    }

    @Test
    void shouldSayThatItsPortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            UpdraftProcess server = UpdraftProcess.run(
                    directory, "run", "--nimbus-port", String.valueOf(taken.getLocalPort()), "--view", "none");

            assertThat(server.exitCode()).isEqualTo(2);
            assertThat(server.err())
                    .singleElement()
                    .asString()
                    .startsWith("updraft: cannot listen on port " + taken.getLocalPort() + " of 127.0.0.1");
        }
    }

    /** Below those that the kernel gives to connections: one of these could have it before the server listens. */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // Another one.
            }
        }
    }

    private static int portOf(UpdraftProcess server) throws InterruptedException {
        server.awaitErr("Nimbus listens on");
        for (String line : server.err()) {
            Matcher matcher = LISTENS.matcher(line);
            if (matcher.find()) {
                return Integer.parseInt(matcher.group(1));
            }
        }
        throw new AssertionError("no port in " + server.err());
    }

    private static NimbusClient client(int port) {
        Map<String, Object> conf = Utils.readStormConfig();
        conf.put(Config.NIMBUS_SEEDS, List.of("localhost"));
        conf.put(Config.NIMBUS_THRIFT_PORT, port);
        return NimbusClient.Builder.withConf(conf).build();
    }

    /** As {@code storm jar} does it: the program's jar, and by options where Nimbus is. */
    private void submit(int port) throws Exception {
        System.setProperty(
                "storm.jar", UpdraftProcess.jarOf(Endless.class, directory).toString());
        System.setProperty("storm.options", "nimbus.seeds=%5B%22localhost%22%5D,nimbus.thrift.port=" + port);
        try {
            Endless.main(new String[0]);
        } finally {
            System.clearProperty("storm.jar");
            System.clearProperty("storm.options");
        }
    }
}
