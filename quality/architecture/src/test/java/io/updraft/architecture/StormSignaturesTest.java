package io.updraft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.architecture.StormSignatures.Type;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.generated.LSWorkerHeartbeat;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** One archive runs with Storm 2.8 and Storm 3: all that its classes use of Storm is in both, and means the same. */
@SuppressWarnings("serial")
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // It takes seconds to read all classes of the class path.
final class StormSignaturesTest {

    private static final String HELP =
            "not in the record of Storm 3: it is missing there, or record anew with quality/storm-signatures STORM_HOME";

    /** The modules of the archive: see {@code storm/cluster/pom.xml}. */
    private static final Pattern ARCHIVE = Pattern.compile(
            ".*/(base|http|engine|observe|cluster|storm/runtime|storm/cluster|transports/\\w+)/target/(classes|[^/]*(?<!-tests)\\.jar)");

    private final List<Type> ours = onClassPath(true);
    private final StormSignatures storm2 = new StormSignatures();

    @BeforeAll
    void readTheClassPath() {
        storm2.add(onClassPath(false));
        storm2.add(ours);
    }

    private static List<Type> onClassPath(boolean ofTheArchive) {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> Files.exists(Path.of(entry)))
                .filter(entry -> ofTheArchive
                        ? ARCHIVE.matcher(entry).matches()
                        : !entry.contains("/target/") && entry.endsWith(".jar"))
                .flatMap(entry -> StormSignatures.typesIn(Path.of(entry)).stream())
                .toList();
    }

    private static Set<String> recorded() throws IOException {
        try (InputStream in = StormSignaturesTest.class.getResourceAsStream("/storm-3.signatures")) {
            return new HashSet<>(new String(in.readAllBytes()).lines().toList());
        }
    }

    @Test
    void shouldSeeTheArchivesClasses() {
        assertThat(ours)
                .extracting(Type::name)
                .contains(
                        "io/updraft/engine/api/TopologyEngine",
                        "io/updraft/plugin/UpdraftValidator",
                        "io/updraft/cluster/supervised/SupervisedWorker",
                        "io/updraft/storm/UpdraftCluster",
                        "org/apache/storm/tuple/DetachedTuple");
    }

    @Test
    void theArchiveShouldLinkWithTheStormOfTheBuild() {
        assertThat(StormSignatures.problems(ours, storm2.facts(ours), storm2::fact))
                .isEmpty();
    }

    @Test
    void theArchiveShouldLinkWithStorm3() throws IOException {
        assertThat(StormSignatures.problems(ours, recorded(), storm2::fact))
                .as(HELP)
                .isEmpty();
    }

    /** Else the record grows with each change. */
    @Test
    void theRecordShouldHaveNothingElse() throws IOException {
        Set<String> unused = recorded();
        ours.forEach(type -> type.references().forEach(each -> unused.remove(storm2.fact(each))));
        unused.removeIf(fact -> fact.startsWith("open ") || fact.startsWith("has "));

        assertThat(unused)
                .as("nothing uses these lines of the record any more: delete them")
                .isEmpty();
    }

    /** Storm 3 has a long there. */
    @Test
    void shouldFindACallThatStorm3DoesNotHave() throws Exception {
        List<Type> tiny = List.of(typeOf(Heartbeat.class));

        assertThat(StormSignatures.problems(tiny, storm2.facts(tiny), storm2::fact))
                .isEmpty();
        assertThat(StormSignatures.problems(tiny, recorded(), storm2::fact))
                .anyMatch(problem -> problem.contains(
                        "Heartbeat uses member org/apache/storm/generated/LSWorkerHeartbeat <init> (I"));
    }

    @Test
    void shouldFindAMethodThatAnotherStormLeavesOpen() throws Exception {
        List<Type> tiny = List.of(typeOf(Bolt.class));
        Set<String> facts = new TreeSet<>(storm2.facts(tiny));
        assertThat(StormSignatures.problems(tiny, facts, storm2::fact)).isEmpty();

        facts.add("open org/apache/storm/task/IBolt pause ()V");

        assertThat(StormSignatures.problems(tiny, facts, storm2::fact))
                .singleElement()
                .asString()
                .endsWith("Bolt does not implement pause ()V");
    }

    @Test
    void shouldFindInheritedMembers() throws Exception {
        List<Type> tiny = List.of(typeOf(Inherits.class));

        assertThat(StormSignatures.problems(tiny, storm2.facts(tiny), storm2::fact))
                .isEmpty();
        assertThat(storm2.facts(tiny)).contains("member org/apache/storm/tuple/Values get (I)Ljava/lang/Object;");
        assertThat(storm2.fact("member org/apache/storm/tuple/Values none ()V")).isNull();
    }

    private static Type typeOf(Class<?> type) throws IOException {
        try (InputStream in = type.getResourceAsStream("/" + type.getName().replace('.', '/') + ".class")) {
            return StormSignatures.parse(in.readAllBytes());
        }
    }

    static final class Heartbeat {
        Object create() {
            return new LSWorkerHeartbeat(1, "topology", new ArrayList<>(), 6700);
        }
    }

    static final class Inherits {
        Object first() {
            return new Values("a").get(0);
        }
    }

    static final class Bolt implements IBolt {
        @Override
        public void prepare(java.util.Map<String, Object> conf, TopologyContext context, OutputCollector collector) {}

        @Override
        public void execute(Tuple input) {}

        @Override
        public void cleanup() {}
    }
}
