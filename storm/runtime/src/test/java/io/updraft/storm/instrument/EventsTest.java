package io.updraft.storm.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.api.TaskControl;
import io.updraft.storm.LocalNimbus;
import io.updraft.storm.UpdraftCluster;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;

class EventsTest {
    private static final Queue<IEventLogger.EventInfo> EVENTS = new ConcurrentLinkedQueue<>();
    private static final Queue<String> LIFE = new ConcurrentLinkedQueue<>();

    @AutoClose
    private final UpdraftCluster cluster =
            new UpdraftCluster.Builder().withDrainLimit(Duration.ofSeconds(60)).build();

    private TopologyContext context;

    @BeforeEach
    void reset() {
        EVENTS.clear();
        LIFE.clear();
        QueueTopology.reset(QueueTopology::passOn);
        QueueTopology.onPrepare((given, out) -> context = given);
    }

    /** Keeps what it is given. */
    public static final class Recorder implements IEventLogger {
        @Override
        public void prepare(Map<String, Object> conf, Map<String, Object> arguments, TopologyContext context) {
            LIFE.add("prepared for " + arguments.get("to"));
        }

        @Override
        public void log(EventInfo event) {
            EVENTS.add(event);
        }

        @Override
        public void close() {
            LIFE.add("closed");
        }
    }

    private void submit(Object executors) throws Exception {
        Map<String, Object> conf = new HashMap<>();
        conf.put(Config.TOPOLOGY_EVENTLOGGER_EXECUTORS, executors);
        conf.put(
                Config.TOPOLOGY_EVENT_LOGGER_REGISTER,
                List.of(Map.of("class", Recorder.class.getName(), "arguments", Map.of("to", "memory"))));
        QueueTopology.submit(cluster, "watched", conf);
    }

    private static void send(int first, int count) throws Exception {
        int ended = QueueTopology.ACKED.size() + count;
        for (int i = first; i < first + count; i++) {
            QueueTopology.MESSAGES.add(new Values(i, "text" + i));
        }
        Await.until("all are acked", () -> QueueTopology.ACKED.size() == ended);
    }

    private static Stream<String> events() {
        return EVENTS.stream()
                .map(event -> event.getComponent() + " " + event.getTask() + " " + event.getMessageId() + " "
                        + event.getValues());
    }

    @Test
    void shouldSendToTheEventLoggerWhatIsSwitchedOnWhileItRuns() throws Exception {
        submit(2);
        send(0, 10);
        assertThat(EVENTS).isEmpty();

        cluster.debug("watched", null, true, 100);
        send(10, 2);
        Await.until("the events are there", () -> EVENTS.size() >= 4);
        // Tasks by component: the event loggers 1 and 2, end 3, feed 4, middle 5.
        assertThat(events())
                .containsExactlyInAnyOrder(
                        "feed 4 10 [10, text10]",
                        "feed 4 11 [11, text11]",
                        "middle 5 null [10, text10]",
                        "middle 5 null [11, text11]");
        assertThat(EVENTS)
                .allSatisfy(event -> assertThat(event.getTs())
                        .isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis()));

        cluster.debug("watched", "", false, 100);
        EVENTS.clear();
        send(20, 100);
        cluster.close();
        assertThat(EVENTS).isEmpty();
        assertThat(LIFE).containsExactly("prepared for memory", "prepared for memory", "closed", "closed");
    }

    @Test
    void shouldLetNimbusSwitchOneComponent() throws Exception {
        submit(1);
        LocalNimbus.of(cluster).debug("watched", "middle", true, 250);
        send(0, 50);
        Await.until("the events are there", () -> EVENTS.size() >= 50);

        LocalNimbus.of(cluster).debug("watched", null, true, 100);
        LocalNimbus.of(cluster).debug("watched", "middle", false, 0);
        send(50, 50);
        Await.until("the events are there", () -> EVENTS.size() >= 100);
        cluster.close();

        assertThat(events().filter(event -> event.startsWith("middle"))).hasSize(50);
        assertThat(events().filter(event -> event.startsWith("feed"))).hasSize(50);
        assertThatThrownBy(() -> LocalNimbus.of(cluster).debug("nobody", null, true, 10))
                .isInstanceOf(NotAliveException.class);
    }

    @Test
    void shouldSendTheShareThatWasAskedFor() throws Exception {
        submit(1);
        cluster.debug("watched", "feed", true, 30);
        send(0, 2000);
        cluster.close();

        assertThat(EVENTS.size()).isBetween(450, 750);
    }

    @Test
    void shouldShowComponentsTheTopologyAsItWasBuilt() throws Exception {
        submit(1);
        send(0, 1);

        assertThat(context.getComponentIds()).containsExactlyInAnyOrder("feed", "middle", "end");
        assertThat(context.getThisStreams()).containsExactly("default");
        assertThat(context.getThisTargets()).containsOnlyKeys("default");
        assertThat(context.getComponentTasks("__eventlogger")).containsExactly(1);
    }

    @Test
    void shouldWriteToAFileIfNothingElseIsSaid(@TempDir Path directory) throws Exception {
        QueueTopology.submit(
                cluster,
                "filed",
                Map.of(
                        Config.TOPOLOGY_EVENTLOGGER_EXECUTORS,
                        1,
                        Config.STORM_WORKERS_ARTIFACTS_DIR,
                        directory.toString()));
        cluster.debug("filed", "feed", true, 100);
        send(0, 2);
        String id = cluster.getTopologySummaryByName("filed").get_id();
        cluster.close();

        List<String> lines =
                Files.readAllLines(directory.resolve(id).resolve("6700").resolve("events.log"));
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).endsWith(",feed,3,1,[1, text1]");
    }

    @Test
    void shouldRefuseAnEventLoggerThatIsNotThere() {
        Map<String, Object> conf = Map.of(
                Config.TOPOLOGY_EVENTLOGGER_EXECUTORS,
                1,
                Config.TOPOLOGY_EVENT_LOGGER_REGISTER,
                List.of(Map.of("class", "com.acme.NoSuchLogger")));
        assertThatThrownBy(() -> QueueTopology.submit(cluster, "wrong", conf))
                .isInstanceOf(InvalidTopologyException.class)
                .hasStackTraceContaining("topology.event.logger.register names com.acme.NoSuchLogger");
    }

    @Test
    void shouldLogWhatATaskDoesInStormsWords() throws Exception {
        submit(0);
        send(0, 1);
        List<String> lines = new ArrayList<>();
        Logger logger = (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
                    Object last = arguments[arguments.length - 1];
                    Object[] values =
                            last instanceof Object[] all ? all : Arrays.copyOfRange(arguments, 1, arguments.length);
                    lines.add(arguments[0] + " " + Arrays.toString(values));
                    return null;
                });
        TaskInstruments task =
                new TaskInstruments(context, context.getConf(), TaskControl.NONE, new RegisteredMetrics(Map.of()));
        task.add(new DebugLogWatcher(context, logger));

        task.emitted("default", new Values(1, "a"), null, List.of(1));
        task.spoutEnded(7, Watcher::spoutAcked);

        assertThat(lines)
                .containsExactly(
                        "Emitting Tuple: taskId={} componentId={} stream={} values={} [3, middle, default, [1, a]]",
                        "SPOUT Acking message {} TASK: {} [7, 3]");
    }
}
