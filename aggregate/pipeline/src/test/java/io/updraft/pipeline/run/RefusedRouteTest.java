package io.updraft.pipeline.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.pipeline.spec.SpecReader;
import io.updraft.servers.FreePorts;
import io.updraft.servers.KafkaServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Records that the brokers refuse, on their way to a topic. */
class RefusedRouteTest {

    private static KafkaServer kafka;

    @TempDir
    Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    @Timeout(300)
    static void startKafka() {
        kafka = KafkaServer.shared();
    }

    private static void topic(String name) {
        kafka.createTopic(new NewTopic(name, 1, (short) 1).configs(Map.of("max.message.bytes", "2000")));
    }

    private static String route(String source, String topic) {
        return source + "\nroute: {key: name, topic: " + topic + ", bootstrap: \"" + kafka.bootstrap()
                + "\", partitions: 1}\n";
    }

    @Test
    void shouldNotAnswerWithSuccessWhatTheBrokersRefuse() throws Exception {
        topic("refused-http");
        int port = new FreePorts().next();
        String source = "source: {http: {listen: \"127.0.0.1:" + port + "\"}}";
        try (RunningPipeline routing = start(route(source, "refused-http"))) {
            assertThat(post(port, "small").statusCode()).isEqualTo(200);
            HttpResponse<String> refused = post(port, "large");
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.body()).contains("a measurement cannot be stored", "large");
            assertThat(post(port, "small").statusCode()).isEqualTo(200);
            assertThat(routing.progress().rejected()).isEqualTo(1);
            assertThat(routing.firstRejected()).startsWith("http at ");
            assertThat(routing.failure()).isNull();
        }
    }

    @Test
    void shouldCountRecordsOfAFileThatTheBrokersRefuse() throws Exception {
        topic("refused-file");
        Path lines = Files.writeString(
                directory.resolve("in.json"),
                "{\"name\":\"a\"}\n{\"name\":\"b\",\"text\":\"" + "x".repeat(6_000) + "\"}\n{\"name\":\"c\"}\n");
        String source = "source: {file: \"" + lines + "\"}\nformat: json\nflatten: {fields: {name: text}}";
        try (RunningPipeline routing = start(route(source, "refused-file"))) {
            assertThat(routing.awaitEnd(Duration.ofMinutes(2))).isTrue();
            assertThat(routing.failure()).isNull();
            assertThat(routing.progress().rejected()).isEqualTo(1);
            assertThat(routing.firstRejected()).contains("in.json at 13");
            assertThat(routing.progress().route().delivered().values()).containsExactly(2L);
        }
    }

    private RunningPipeline start(String yaml) throws Exception {
        return Pipelines.start(new SpecReader(Map.of()).read("refused.yaml", yaml, "refused"));
    }

    /** Posts a measurement whose source makes it too large or not, again until the source listens. */
    private HttpResponse<String> post(int port, String name) throws Exception {
        String text = name.equals("large") ? "x".repeat(6_000) : "x";
        String body = "{\"gauges\":[{\"name\":\"" + name + "\",\"source\":\"" + text + "\",\"value\":1}]}";
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/measurements"))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        while (true) {
            try {
                return client.send(request, BodyHandlers.ofString());
            } catch (IOException notYet) {
                Thread.onSpinWait();
            }
        }
    }
}
