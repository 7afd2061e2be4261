package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.generated.Credentials;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("serial")
class CredentialsTest {
    private static final Queue<String> HEARD = new ConcurrentLinkedQueue<>();

    @AutoClose
    private final UpdraftCluster cluster = new UpdraftCluster();

    @BeforeEach
    void reset() {
        HEARD.clear();
    }

    /** Writes down what it is given, and when it is opened. */
    public static final class ListeningSpout extends TestSpout implements ICredentialsListener {
        ListeningSpout() {
            super("word");
        }

        @Override
        public void setCredentials(Map<String, String> credentials) {
            HEARD.add("spout " + credentials);
        }

        @Override
        protected void opened() {
            HEARD.add("spout opened");
        }
    }

    /** Writes down what it is given, by which task, and whether its own thread does it. */
    public static final class ListeningBolt extends TestBolt implements ICredentialsListener {
        private transient String task;

        @Override
        public void setCredentials(Map<String, String> credentials) {
            HEARD.add(task + " " + credentials + " within the engine: " + EmbeddedTopology.insideEngine());
        }

        @Override
        protected void prepared() {
            task = "bolt " + context.getThisTaskIndex();
        }

        @Override
        public void execute(Tuple input) {}
    }

    private static Credentials of(String key, String value) {
        return new Credentials(Map.of(key, value));
    }

    private static void await(String heard) throws Exception {
        Await.until(heard, () -> HEARD.contains(heard));
    }

    @Test
    void shouldGiveComponentsTheCredentialsOfTheSubmissionBeforeTheyAreOpened() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("listening", new ListeningSpout());
        SubmitOptions options = new SubmitOptions(TopologyInitialStatus.ACTIVE);
        options.set_creds(of("user", "first"));
        cluster.submitTopologyWithOpts("given", Map.of(), builder.createTopology(), options);

        await("spout opened");
        assertThat(List.copyOf(HEARD)).containsExactly("spout {user=first}", "spout opened");
    }

    @Test
    void shouldGiveEachTaskTheCredentialsThatAreUploadedLater() throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestComponents.QuietSpout());
        builder.setBolt("listening", new ListeningBolt(), 2).shuffleGrouping("words");
        cluster.submitTopology("uploaded", Map.of(), builder.createTopology());
        // Before prepare, so that it does not know its task yet.
        Await.until("both hear that there are none", () -> HEARD.size() == 2);
        assertThat(HEARD).containsOnly("null {} within the engine: true");

        cluster.getNimbus().uploadNewCredentials("uploaded", of("user", "second"));
        await("bolt 0 {user=second} within the engine: true");
        await("bolt 1 {user=second} within the engine: true");
    }

    @Test
    void shouldTakeNoCredentialsForATopologyThatIsNotThere() {
        assertThatThrownBy(() -> cluster.uploadNewCredentials("none", of("user", "x")))
                .isInstanceOf(NotAliveException.class);
    }
}
