package io.updraft.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.Local;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.ThreadContext;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each log line is about the task that its text names, whatever thread logs it. */
final class TaskContextTest {
    private static final Executor SAME_THREAD = Runnable::run;

    private final Logger logger = (Logger) LogManager.getLogger(TaskContextTest.class);
    private final Collection<LogEvent> events = new ConcurrentLinkedQueue<>();
    private final AbstractAppender appender = new AbstractAppender("tasks", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            events.add(event.toImmutable());
        }
    };

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
    }

    @AfterEach
    void stopListening() {
        logger.setAdditive(true);
        logger.removeAppender(appender);
    }

    @Test
    void shouldTellTasksOfOneClassOnOneThreadApart() {
        run(Map.of("updraft.loops", 1), feed -> logging(SAME_THREAD, 0), feed -> logging(SAME_THREAD, 0));
        assertThat(said()).contains("first/1 execute", "first/2 execute", "first/3 execute", "second/5 execute");
        assertThat(said()).contains("first/1 prepare", "first/3 prepare", "first/1 cleanup", "first/3 cleanup");
        assertThat(said().stream().filter(line -> line.matches("spout/\\d (ack|open)")))
                .hasSize(4);
        assertNamed();
    }

    @Test
    void shouldNameTheTaskThatRunsOnAThreadOfItsOwn() {
        run(Map.of("updraft.loops", 1), feed -> logging(SAME_THREAD, 0), feed -> logging(SAME_THREAD, 10_000_000));
        assertThat(events.stream().map(LogEvent::getThreadName).collect(Collectors.toSet()))
                .hasSizeGreaterThan(1);
        assertNamed();
    }

    @Test
    void shouldNameTheTaskThatStartedAThreadAlsoThroughAnother() {
        Executor throughThreads = job -> new Thread(() -> new Thread(job, "of the user").start()).start();
        run(Map.of(), feed -> logging(throughThreads, 0), feed -> logging(throughThreads, 0));
        assertThat(events.stream().filter(event -> event.getThreadName().equals("of the user")))
                .isNotEmpty();
        assertNamed();
    }

    @Test
    void shouldKeepTheProgramsOwnContextAndNameNoTaskElsewhere() {
        ThreadContext.put("customer", "acme");
        try {
            logger.warn("null/null outside");
        } finally {
            ThreadContext.remove("customer");
        }
        assertNamed();
        // A thread that the test before has started may still log.
        String thread = Thread.currentThread().getName();
        assertThat(events)
                .filteredOn(event -> event.getThreadName().equals(thread))
                .singleElement()
                .satisfies(event -> assertThat((String) event.getContextData().getValue("customer"))
                        .isEqualTo("acme"));
    }

    private void run(Map<String, Object> conf, Function<Feed, IRichBolt> first, Function<Feed, IRichBolt> second) {
        Feed feed = Feed.of(40);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", Local.spout(() -> new LoggingSpout(feed)), 1).setNumTasks(2);
        topology.setBolt("first", first.apply(feed), 1).setNumTasks(3).shuffleGrouping("spout");
        topology.setBolt("second", second.apply(feed), 1).setNumTasks(2).shuffleGrouping("spout");
        try (TestEngine engine = TestEngine.run(topology, conf)) {
            engine.await("all is acked", feed::isSettled);
            assertThat(feed.ackCount()).isEqualTo(40);
        }
    }

    private IRichBolt logging(Executor threads, long nanos) {
        return Local.bolt(() -> new LoggingBolt(threads, nanos));
    }

    private Set<String> said() {
        return events.stream()
                .map(event -> event.getMessage().getFormattedMessage())
                .collect(Collectors.toSet());
    }

    private void assertNamed() {
        assertThat(events)
                .isNotEmpty()
                .allSatisfy(event -> assertThat(event.getContextData().getValue("component") + "/"
                                + event.getContextData().getValue("task"))
                        .as(event.getMessage().getFormattedMessage() + " on " + event.getThreadName())
                        .isEqualTo(event.getMessage().getFormattedMessage().split(" ")[0]));
    }

    @SuppressWarnings("serial")
    private final class LoggingBolt extends TestBolt {
        private final transient Executor threads;
        private final long nanos;

        LoggingBolt(Executor threads, long nanos) {
            this.threads = threads;
            this.nanos = nanos;
        }

        @Override
        protected void prepared() {
            log("prepare");
        }

        @Override
        public void execute(Tuple input) {
            threads.execute(() -> log("execute"));
            LockSupport.parkNanos(nanos);
            out.ack(input);
        }

        @Override
        public void cleanup() {
            log("cleanup");
        }

        private void log(String during) {
            logger.warn("{}/{} {}", context.getThisComponentId(), context.getThisTaskId(), during);
        }
    }

    @SuppressWarnings("serial")
    private final class LoggingSpout extends Feed.Instance {

        LoggingSpout(Feed feed) {
            super(feed);
        }

        @Override
        protected void opened() {
            log("open");
        }

        @Override
        public void ack(Object messageId) {
            log("ack");
            super.ack(messageId);
        }

        private void log(String during) {
            logger.warn("{}/{} {}", context.getThisComponentId(), context.getThisTaskId(), during);
        }
    }
}
