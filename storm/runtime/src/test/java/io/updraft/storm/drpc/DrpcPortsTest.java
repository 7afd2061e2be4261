package io.updraft.storm.drpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.UpdraftDrpc;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.drpc.LinearDRPCTopologyBuilder;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Storm's DRPC client and HTTP callers, answered by a topology that reaches DRPC by its ports only. */
@SuppressWarnings("serial")
class DrpcPortsTest {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private static Map<String, Object> conf;
    private static UpdraftDrpc drpc;
    private static DrpcPorts ports;
    private static UpdraftCluster cluster;
    private static int callers;
    private static int http;

    @BeforeAll
    static void open() throws Exception {
        callers = freePort();
        int answerers = freePort();
        http = freePort();
        conf = new HashMap<>(Utils.readStormConfig());
        conf.put("drpc.request.timeout.secs", 100);
        drpc = new UpdraftDrpc(conf);
        ports = DrpcPorts.open(drpc, conf, local(callers), local(answerers), local(http));
        cluster = new UpdraftCluster.Builder()
                .withDaemonConf(DrpcPorts.settings("localhost", callers, answerers))
                .build();
        LinearDRPCTopologyBuilder builder = new LinearDRPCTopologyBuilder("exclaim");
        builder.addBolt(new Exclaim(), 2);
        cluster.submitTopology("exclaimer", Map.of(), builder.createRemoteTopology());
    }

    @AfterAll
    static void close() {
        cluster.close();
        ports.close();
        drpc.close();
    }

    @Test
    void shouldAnswerStormsClient() throws Exception {
        try (DRPCClient client = new DRPCClient(conf, "localhost", callers)) {
            assertThat(client.execute("exclaim", "hello")).isEqualTo("hello!");
            assertThat(client.execute("exclaim", "")).isEqualTo("!");
            assertThat(client.execute("exclaim", "zwölf \" quoted")).isEqualTo("zwölf \" quoted!");
        }
    }

    @Test
    void shouldAnswerHttpCallers() throws Exception {
        assertThat(get("exclaim/a%20b%2Fc+d").body()).isEqualTo("a b/c+d!");
        assertThat(get("exclaim").body()).isEqualTo("!");
        HttpResponse<String> posted = HTTP.send(
                request("exclaim")
                        .POST(HttpRequest.BodyPublishers.ofString("zwölf"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(posted.statusCode()).isEqualTo(200);
        assertThat(posted.body()).isEqualTo("zwölf!");
    }

    @Test
    void shouldTellOfFailuresAsStormDoes() throws Exception {
        try (DRPCClient client = new DRPCClient(conf, "localhost", callers)) {
            assertThatThrownBy(() -> client.execute("exclaim", "fail"))
                    .isInstanceOf(DRPCExecutionException.class)
                    .satisfies(failure -> assertThat(((DRPCExecutionException) failure).get_type())
                            .isEqualTo(DRPCExceptionType.FAILED_REQUEST));
        }
        HttpResponse<String> failed = get("exclaim/fail");
        assertThat(failed.statusCode()).isEqualTo(400);
        assertThat(failed.headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(failed.body()).contains("\"error\":\"FAILED_REQUEST\"");
        assertThat(get("").statusCode()).isEqualTo(404);
        HttpResponse<String> deleted =
                HTTP.send(request("exclaim").DELETE().build(), HttpResponse.BodyHandlers.ofString());
        assertThat(deleted.statusCode()).isEqualTo(405);
    }

    @Test
    void shouldSayThatAPortIsInUseAndOpenNone() {
        int free = freePort();
        assertThatThrownBy(() -> DrpcPorts.open(drpc, conf, local(free), local(free), local(http)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on port " + free + " of 127.0.0.1");
        assertThatThrownBy(() -> DrpcPorts.open(drpc, conf, local(free), local(0), local(http)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on port " + http + " of 127.0.0.1");
    }

    @Test
    void shouldLeaveNoThreadThatTriesToAcceptWhenItIsClosedAtOnce() throws Exception {
        for (int i = 0; i < 20; i++) {
            DrpcPorts.open(drpc, conf, local(0), local(0), null).close();
        }

        Await.until("only the ports of the other tests are listened to", () -> acceptors() == 2);
    }

    private static long acceptors() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("updraft-drpc(-invocations)?"))
                .count();
    }

    private static HttpResponse<String> get(String path) throws Exception {
        return HTTP.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + http + "/drpc/" + path));
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Adds an exclamation mark, or fails. */
    public static final class Exclaim extends BaseBasicBolt {
        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (tuple.getString(1).equals("fail")) {
                throw new org.apache.storm.topology.FailedException("asked to fail");
            }
            collector.emit(new Values(tuple.getValue(0), tuple.getString(1) + "!"));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "result"));
        }
    }
}
