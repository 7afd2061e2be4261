package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Topologies of two jars with the same class names, side by side. */
class SeveralTopologiesTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final UpdraftCluster cluster = new UpdraftCluster();
    private final String first = "first-" + NUMBER.incrementAndGet();
    private final String second = "second-" + NUMBER.get();
    private NimbusPort port;

    @TempDir
    private Path folder;

    @BeforeEach
    void submit() throws Exception {
        port = NimbusPort.open(cluster, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        VersionedProgram.submit(
                VersionedProgram.jar(folder, "sweet"), first, port.address().getPort());
        VersionedProgram.submit(
                VersionedProgram.jar(folder, "bitter"), second, port.address().getPort());
        awaitCount(first, 100);
        awaitCount(second, 100);
    }

    @AfterEach
    void close() {
        cluster.close();
        port.close();
    }

    @Test
    void shouldGiveEachItsOwnClassesAndStaticState() {
        assertThat(Seen.factsOf(first))
                .contains("sweet", "own loader true", "prepared 4")
                .doesNotContain("bitter", "prepared 5");
        assertThat(Seen.factsOf(second))
                .contains("bitter", "own loader true", "prepared 4")
                .doesNotContain("sweet", "prepared 5");
        assertThat(Seen.loaderOf(first).get()).isNotSameAs(Seen.loaderOf(second).get());
    }

    @Test
    void shouldLetTheOthersRunWhenOneIsKilledAndItsClassesGo() throws Exception {
        WeakReference<ClassLoader> loader = Seen.loaderOf(first);

        cluster.killTopologyWithOpts(first, RunningComponents.within(0));

        awaitCount(second, Seen.countOf(second) + 1000);
        assertThat(Seen.factsOf(first)).contains("cleaned up");
        assertThat(Seen.factsOf(second)).doesNotContain("cleaned up");
        Await.until("the classes of the killed topology are unloaded", () -> {
            System.gc();
            return loader.get() == null;
        });
        assertThat(Seen.loaderOf(second).get()).isNotNull();
    }

    @Test
    void shouldTakeAnotherVersionUnderTheNameOfOneThatIsGone() throws Exception {
        cluster.killTopologyWithOpts(first, RunningComponents.within(0));
        assertThat(Seen.factsOf(first)).doesNotContain("umami");

        VersionedProgram.submit(
                VersionedProgram.jar(folder, "umami"), first, port.address().getPort());

        awaitCount(first, Seen.countOf(first) + 100);
        assertThat(Seen.factsOf(first)).contains("umami");
    }

    private static void awaitCount(String topology, long count) throws Exception {
        Await.until(count + " tuples were seen", () -> Seen.countOf(topology) >= count);
    }
}
