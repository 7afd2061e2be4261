package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.updraft.base.testing.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.storm.coordination.BatchOutputCollector;
import org.apache.storm.drpc.DRPCSpout;
import org.apache.storm.drpc.LinearDRPCTopologyBuilder;
import org.apache.storm.drpc.ReturnResults;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.FailedException;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseBatchBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.ServiceRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("serial")
class UpdraftDrpcTest {
    private final UpdraftCluster cluster = new UpdraftCluster();
    private UpdraftDrpc drpc = new UpdraftDrpc();

    @AfterEach
    void close() {
        cluster.close();
        drpc.close();
    }

    @Test
    void shouldAnswerWithWhatALinearTopologyEmits() throws Exception {
        cluster.submitTopology("exclaim", Map.of(), exclaim());

        assertThat(drpc.execute("exclaim", "hello")).isEqualTo("hello!");
        assertThat(drpc.execute("exclaim", "again")).isEqualTo("again!");
        assertThat(drpc.pending()).isZero();
    }

    @Test
    void shouldGiveEachOfManyCallersHisOwnAnswer() throws Exception {
        cluster.submitTopology("exclaim", Map.of(), exclaim());
        ExecutorService callers = Executors.newFixedThreadPool(16);
        try {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                String word = "word" + i;
                answers.add(callers.submit(() -> drpc.execute("exclaim", word)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i))
                        .succeedsWithin(Duration.ofSeconds(50))
                        .isEqualTo("word" + i + "!");
            }
        } finally {
            callers.shutdownNow();
        }
    }

    @Test
    void shouldFinishABatchWhenAllItsTuplesHaveArrivedFromAllTasks() throws Exception {
        LinearDRPCTopologyBuilder builder = new LinearDRPCTopologyBuilder("distinct");
        builder.addBolt(new Split(), 2);
        builder.addBolt(new Distinct(), 3).fieldsGrouping(new Fields("id", "word"));
        builder.addBolt(new Sum(), 2).fieldsGrouping(new Fields("id"));
        cluster.submitTopology("distinct", Map.of(), builder.createLocalTopology(drpc));

        assertThat(drpc.execute("distinct", "a rose is a rose is a rose")).isEqualTo("3");
        assertThat(drpc.execute("distinct", "one two three four five six seven"))
                .isEqualTo("7");
        assertThat(drpc.execute("distinct", "same same")).isEqualTo("1");
    }

    @Test
    void shouldServeASpoutAndReturnResultsInAnyTopology() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("requests", new DRPCSpout("reverse", drpc), 2);
        builder.setBolt("reverse", new Reverse(), 2).shuffleGrouping("requests");
        builder.setBolt("return", new ReturnResults(), 2).shuffleGrouping("reverse");
        cluster.submitTopology("reverse", Map.of(), builder.createTopology());

        assertThat(drpc.execute("reverse", "updraft")).isEqualTo("tfardpu");
    }

    @Test
    void shouldBeFoundByStormsClientWhereItIsTheOverride() throws Exception {
        DRPCClient.LocalOverride override = new DRPCClient.LocalOverride(drpc);
        try (DRPCClient client = DRPCClient.getConfiguredClient(Map.of())) {
            LinearDRPCTopologyBuilder builder = new LinearDRPCTopologyBuilder("exclaim");
            builder.addBolt(new Exclaim(), 1);
            cluster.submitTopology("remote", Map.of(), builder.createRemoteTopology());

            assertThat(client.execute("exclaim", "hi")).isEqualTo("hi!");
        } finally {
            override.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "throw"})
    void shouldTellTheCallerThatTheTopologyFailedTheRequestAndAnswerTheNext(String request) throws Exception {
        cluster.submitTopology("exclaim", Map.of(), exclaim());

        assertFailure(() -> drpc.execute("exclaim", request), DRPCExceptionType.FAILED_REQUEST, "Request failed");
        assertThat(drpc.execute("exclaim", "fine")).isEqualTo("fine!");
    }

    @Test
    void shouldGiveUpWhatNobodyAnswersInTime() {
        drpc.close();
        drpc = new UpdraftDrpc(Map.of("drpc.request.timeout.secs", 1));

        assertFailure(() -> drpc.execute("nobody", ""), DRPCExceptionType.SERVER_TIMEOUT, "'nobody' did not answer");
        assertThat(drpc.fetchRequest("nobody").get_request_id()).isEmpty();
        assertThat(drpc.pending()).isZero();
    }

    @Test
    void shouldRefuseWhatFindsTheQueueFull() {
        drpc.close();
        drpc = new UpdraftDrpc(Map.of(UpdraftDrpc.QUEUE_LIMIT, 2));
        CompletableFuture<String> first = drpc.submit("f", "1");
        CompletableFuture<String> second = drpc.submit("f", "2");

        assertFailure(() -> drpc.execute("f", "3"), DRPCExceptionType.FAILED_REQUEST, "2 requests of function 'f'");
        String id = drpc.fetchRequest("f").get_request_id();
        CompletableFuture<String> third = drpc.submit("f", "3");
        drpc.result(id, "one");

        assertThat(first).isCompletedWithValue("one");
        assertThat(second).isNotDone();
        assertThat(third).isNotDone();
        assertThat(drpc.fetchRequest("f").get_func_args()).isEqualTo("2");
    }

    @Test
    void shouldAnswerWaitingCallersWhenItIsClosed() throws Exception {
        CompletableFuture<String> fetched = drpc.submit("f", "1");
        drpc.fetchRequest("f");
        Future<?> blocked = CompletableFuture.runAsync(() ->
                assertFailure(() -> drpc.execute("f", "2"), DRPCExceptionType.SERVER_SHUTDOWN, "Server Shutting Down"));
        Await.until("both wait", () -> drpc.pending() == 2);

        drpc.close();

        assertThat(blocked).succeedsWithin(Duration.ofSeconds(50));
        assertThat(fetched).isCompletedExceptionally();
        assertFailure(() -> drpc.execute("f", "3"), DRPCExceptionType.SERVER_SHUTDOWN, "Server Shutting Down");
        assertThat(ServiceRegistry.getService(drpc.getServiceId())).isNull();
    }

    @Test
    void shouldForgetARequestWhoseCallerIsInterrupted() throws Exception {
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            assertFailure(() -> drpc.execute("f", "1"), DRPCExceptionType.INTERNAL_ERROR, "interrupted");
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        caller.start();
        Await.until("it waits", () -> drpc.pending() == 1);

        caller.interrupt();

        assertThat(interrupted).succeedsWithin(Duration.ofSeconds(50)).isEqualTo(true);
        assertThat(drpc.pending()).isZero();
        assertThat(drpc.fetchRequest("f").get_request_id()).isEmpty();
    }

    @Test
    void shouldPassOnTheReasonOfAFailure() {
        CompletableFuture<String> answer = drpc.submit("f", "1");
        DRPCExecutionException reason = new DRPCExecutionException("no such user");

        drpc.failRequestV2(drpc.fetchRequest("f").get_request_id(), reason);
        drpc.result("unknown", "nobody waits for this");

        assertThat(answer).isCompletedExceptionally();
        assertThatThrownBy(answer::join).hasCause(reason);
    }

    @Test
    void shouldNameASettingThatMakesNoSense() {
        assertThatThrownBy(() -> new UpdraftDrpc(Map.of("drpc.request.timeout.secs", 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("drpc.request.timeout.secs is '0'");
    }

    private StormTopology exclaim() {
        LinearDRPCTopologyBuilder builder = new LinearDRPCTopologyBuilder("exclaim");
        builder.addBolt(new Exclaim(), 3);
        return builder.createLocalTopology(drpc);
    }

    private interface Call {
        String make() throws Exception;
    }

    private static void assertFailure(Call call, DRPCExceptionType expected, String message) {
        assertThatThrownBy(call::make)
                .hasMessageContaining(message)
                .asInstanceOf(type(DRPCExecutionException.class))
                .extracting(DRPCExecutionException::get_type)
                .isEqualTo(expected);
    }

    static final class Exclaim extends BaseBasicBolt {
        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            String word = input.getString(1);
            if (word.equals("fail")) {
                throw new FailedException("as asked");
            }
            if (word.equals("throw")) {
                throw new IllegalStateException("as asked");
            }
            collector.emit(new Values(input.getValue(0), word + "!"));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "result"));
        }
    }

    static final class Reverse extends BaseBasicBolt {
        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            String reversed = new StringBuilder(input.getString(0)).reverse().toString();
            collector.emit(new Values(reversed, input.getValue(1)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("result", "return-info"));
        }
    }

    static final class Split extends BaseBasicBolt {
        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            Arrays.stream(input.getString(1).split(" "))
                    .forEach(word -> collector.emit(new Values(input.getValue(0), word)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "word"));
        }
    }

    static final class Distinct extends BaseBatchBolt<Object> {
        private final Set<String> words = new HashSet<>();
        private transient BatchOutputCollector collector;
        private transient Object id;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, BatchOutputCollector out, Object of) {
            collector = out;
            id = of;
        }

        @Override
        public void execute(Tuple tuple) {
            words.add(tuple.getString(1));
        }

        @Override
        public void finishBatch() {
            collector.emit(new Values(id, words.size()));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "count"));
        }
    }

    static final class Sum extends BaseBatchBolt<Object> {
        private transient BatchOutputCollector collector;
        private transient Object id;
        private int sum;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, BatchOutputCollector out, Object of) {
            collector = out;
            id = of;
        }

        @Override
        public void execute(Tuple tuple) {
            sum += tuple.getInteger(1);
        }

        @Override
        public void finishBatch() {
            collector.emit(new Values(id, String.valueOf(sum)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "total"));
        }
    }
}
