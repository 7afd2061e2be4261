package io.updraft.engine;

import static io.updraft.engine.testing.TestBolt.ackAfter;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.testing.Feed;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestEngine;
import java.security.PrivilegedAction;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import javax.security.auth.Subject;
import org.apache.storm.security.auth.ReqContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.junit.jupiter.api.Test;

/** User code runs as the subject that has started the topology, on each thread of the engine and with each JDK. */
class SubjectTest {
    private final Subject subject = new Subject();

    private final Map<Thread, Optional<Subject>> seen = new ConcurrentHashMap<>();

    @Test
    void shouldRunTasksAsTheSubjectOnLoopsAndOnThreadsOfTheirOwn() {
        Feed feed = Feed.of(50);
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", feed.spout());
        topology.setBolt("fast", bolt(0)).shuffleGrouping("spout");
        topology.setBolt("slow", bolt(20_000_000)).shuffleGrouping("spout");
        try (TestEngine engine = Subject.doAs(
                subject, (PrivilegedAction<TestEngine>) () -> TestEngine.run(topology, Map.of("updraft.loops", 1)))) {
            engine.await("all is acked", feed::isSettled);
            assertThat(seen.keySet())
                    .as("threads of a loop and of the slow bolt")
                    .hasSizeGreaterThan(1);
            assertThat(seen).allSatisfy((thread, each) -> assertThat(each).containsSame(subject));
        }
    }

    private IRichBolt bolt(long nanos) {
        return TestBolt.of(ackAfter(tuple -> {
            seen.put(Thread.currentThread(), Optional.ofNullable(ReqContext.currentSubject()));
            LockSupport.parkNanos(nanos);
        }));
    }
}
