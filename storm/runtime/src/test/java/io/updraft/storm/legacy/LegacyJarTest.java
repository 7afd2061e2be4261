package io.updraft.storm.legacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.updraft.base.testing.CompiledJar;
import io.updraft.storm.JarRunner;
import io.updraft.storm.SubmitterRedirect;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.conf.StormConfig;
import io.updraft.storm.program.JarClassLoader;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.apache.storm.spout.Scheme;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that are compiled against declarations of Storm 0.9's API. The declarations are not in their jar. */
class LegacyJarTest {
    private static final Map<String, String> API = Map.of(
            "backtype.storm.Config", "public class Config extends java.util.HashMap<String, Object> {}",
            "backtype.storm.StormSubmitter",
                    "public class StormSubmitter { public static void submitTopology(String name, java.util.Map conf,"
                            + " backtype.storm.generated.StormTopology topology) {} }",
            "backtype.storm.generated.StormTopology", "public class StormTopology {}",
            "backtype.storm.spout.Scheme",
                    "public interface Scheme extends java.io.Serializable {"
                            + " java.util.List<Object> deserialize(byte[] bytes);"
                            + " backtype.storm.tuple.Fields getOutputFields(); }",
            "backtype.storm.testing.TestWordSpout",
                    "public class TestWordSpout implements backtype.storm.topology.IRichSpout {}",
            "backtype.storm.topology.IRichSpout", "public interface IRichSpout {}",
            "backtype.storm.topology.SpoutDeclarer", "public interface SpoutDeclarer {}",
            "backtype.storm.topology.TopologyBuilder",
                    "public class TopologyBuilder { public backtype.storm.generated.StormTopology createTopology() { return null; }"
                            + " public SpoutDeclarer setSpout(String id, IRichSpout spout) { return null; } }",
            "backtype.storm.tuple.Fields", "public class Fields { public Fields(String... names) {} }",
            "backtype.storm.utils.Utils",
                    "public class Utils { public static Integer getInt(Object value) { return null; }"
                            + " public static void gone() {} }");

    private static final Map<String, String> PROGRAM = Map.of(
            "com.acme.Lines",
            "public class Lines implements backtype.storm.spout.Scheme {"
                    + " public java.util.List<Object> deserialize(byte[] bytes) {"
                    + "     return java.util.List.of(new String(bytes)); }"
                    + " public backtype.storm.tuple.Fields getOutputFields() {"
                    + "     return new backtype.storm.tuple.Fields(\"line\"); }"
                    + " public static Object call(backtype.storm.spout.Scheme scheme, byte[] bytes) {"
                    + "     return scheme.deserialize(bytes); } }",
            "com.acme.Main",
            "public class Main { public static void main(String[] arguments) {"
                    + "     backtype.storm.Config conf = new backtype.storm.Config();"
                    + "     if (arguments.length > 1) { conf.put(arguments[1], false); }"
                    + "     backtype.storm.topology.TopologyBuilder builder = new backtype.storm.topology.TopologyBuilder();"
                    + "     builder.setSpout(\"words\", new backtype.storm.testing.TestWordSpout());"
                    + "     backtype.storm.StormSubmitter.submitTopology("
                    + "         arguments.length > 0 ? arguments[0] : \"old\", conf, builder.createTopology()); } }",
            "com.acme.Gone",
            "public class Gone { public static void main(String[] arguments) { backtype.storm.utils.Utils.gone(); } }",
            "com.acme.Values",
            "public class Values { public static final String NAME = name();"
                    + " static String name() { return \"backtype.storm.metric.LoggingMetricsConsumer\"; }"
                    + " public static String text() { return \"backtype.storm is old\"; }"
                    + " public static Object seven() { return backtype.storm.utils.Utils.getInt(7L); } }",
            "storm.trident.Own",
            "public class Own {}");

    @TempDir
    static Path folder;

    private static Path old;

    @BeforeAll
    static void compile() throws Exception {
        Path api = compile("api", API, "");
        Path program = compile("program", PROGRAM, api.toString());
        Files.createDirectories(program.resolve("META-INF"));
        Files.writeString(program.resolve("META-INF/OLD.SF"), "signature");
        Files.writeString(program.resolve("words.txt"), "backtype.storm.Config");
        Files.writeString(program.resolve("storm/trident/own.txt"), "own");
        Path services = Files.createDirectories(program.resolve("META-INF/services"));
        Files.writeString(services.resolve("backtype.storm.spout.Scheme"), "com.acme.Lines\nstorm.trident.Own");
        old = CompiledJar.pack(program, program, folder.resolve("old.jar"));
    }

    @Test
    void shouldImplementInterfacesThatHaveOtherMethodsToday() throws Exception {
        try (JarClassLoader loader = loaderOfConverted("scheme.jar")) {
            Class<?> lines = loader.loadClass("com.acme.Lines");
            Scheme scheme = (Scheme) lines.getConstructor().newInstance();

            assertThat(scheme.deserialize(ByteBuffer.wrap(bytes("a b")))).containsExactly("a b");
            assertThat(scheme.getOutputFields()).containsExactly("line");
            assertThat(lines.getMethod("call", Scheme.class, byte[].class).invoke(null, scheme, bytes("c")))
                    .isEqualTo(List.of("c"));
        }
    }

    @Test
    void shouldReplaceCallsAndNamesInConstants() throws Exception {
        try (JarClassLoader loader = loaderOfConverted("values.jar")) {
            Class<?> values = loader.loadClass("com.acme.Values");

            assertThat(values.getMethod("seven").invoke(null)).isEqualTo(7);
            assertThat(values.getField("NAME").get(null)).isEqualTo("org.apache.storm.metric.LoggingMetricsConsumer");
            assertThat(values.getMethod("text").invoke(null)).isEqualTo("backtype.storm is old");
        }
    }

    @Test
    void shouldRenameFilesKeepOtherTextAndDropSignatures() throws Exception {
        Path converted = converted("files.jar");

        try (JarFile jar = new JarFile(converted.toFile())) {
            assertThat(jar.getEntry("org/apache/storm/trident/Own.class")).isNotNull();
            assertThat(jar.getEntry("storm/trident/Own.class")).isNull();
            assertThat(jar.getEntry("META-INF/OLD.SF")).isNull();
            assertThat(jar.getInputStream(jar.getEntry("words.txt"))).hasContent("backtype.storm.Config");
            assertThat(jar.getEntry("META-INF/services/backtype.storm.spout.Scheme"))
                    .isNull();
            assertThat(jar.getInputStream(jar.getEntry("META-INF/services/org.apache.storm.spout.Scheme")))
                    .hasContent("com.acme.Lines\norg.apache.storm.trident.Own\n");
            for (String name : List.of("storm/trident/own.txt", "org/apache/storm/trident/own.txt")) {
                assertThat(jar.getInputStream(jar.getEntry(name))).hasContent("own");
            }
        }
        assertThat(LegacyJar.convert(converted, folder.resolve("again.jar"))).isFalse();
        assertThat(folder.resolve("again.jar")).hasSameBinaryContentAs(converted);
    }

    @Test
    void shouldDecideByTheClassNearestToTheMainClass() throws Exception {
        Path classes = Files.createDirectory(folder.resolve("mixed"));
        Map<String, String> types = Map.of(
                "com/present/Main.class", "nothing of Storm's",
                "com/present/Words.class", "org/apache/storm/topology/IRichBolt",
                "com/old/Words.class", "backtype/storm/topology/IRichBolt");
        for (Map.Entry<String, String> each : types.entrySet()) {
            Path file = classes.resolve(each.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, each.getValue());
        }
        Path jar = CompiledJar.pack(classes, classes, folder.resolve("mixed.jar"));

        assertThat(LegacyJar.isOfLegacyProgram(jar, "com.present.Main")).isFalse();
        assertThat(LegacyJar.isOfLegacyProgram(jar, "com.old.Missing")).isTrue();
    }

    @Test
    @SuppressWarnings("try") // The redirect is not used in the block; it must only be open.
    void shouldSerializeWithJavaUnlessTheProgramForbidsIt() throws Exception {
        try (UpdraftCluster cluster = new UpdraftCluster();
                JarRunner runner = JarRunner.open(old, "com.acme.Main");
                SubmitterRedirect redirect = SubmitterRedirect.open(cluster, StormConfig.NONE)) {
            runner.run(cluster, "com.acme.Main", List.of());
            runner.run(cluster, "com.acme.Main", List.of("strict", "topology.fall.back.on.java.serialization"));

            assertThat(serializesWithJava(cluster, "old")).isTrue();
            assertThat(serializesWithJava(cluster, "strict")).isFalse();
        }
    }

    private static boolean serializesWithJava(UpdraftCluster cluster, String topology) throws Exception {
        return cluster.getTopologyConf(cluster.getTopologyInfoByName(topology).get_id())
                .contains("\"topology.fall.back.on.java.serialization\":true");
    }

    @Test
    void shouldCopyLargeFilesInPieces() throws Exception {
        Path jar = folder.resolve("large.jar");
        Files.copy(old, jar);
        byte[] content = new byte[32 << 20];
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
            Files.write(files.getPath("model.bin"), content);
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        LegacyJar.convert(jar, folder.resolve("large-copy.jar"));

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(content.length);
        try (JarFile file = new JarFile(folder.resolve("large-copy.jar").toFile())) {
            assertThat(file.getEntry("model.bin").getSize()).isEqualTo(content.length);
        }
    }

    @Test
    @SuppressWarnings("try") // The redirect is not used in the block; it must only be open.
    void shouldRunAProgram() throws Exception {
        try (UpdraftCluster cluster = new UpdraftCluster();
                JarRunner runner = JarRunner.open(old);
                SubmitterRedirect redirect = SubmitterRedirect.open(cluster, StormConfig.NONE)) {
            runner.run(cluster, "com.acme.Main", List.of());

            assertThat(cluster.topologyNames()).containsExactly("old");
        }
    }

    @Test
    void shouldNameAMethodThatStormNoLongerHas() throws Exception {
        try (UpdraftCluster cluster = new UpdraftCluster();
                JarRunner runner = JarRunner.open(old)) {
            assertThatThrownBy(() -> runner.run(cluster, "com.acme.Gone", List.of()))
                    .hasMessageMatching("com.acme.Gone failed: Storm [0-9.]+ has no method"
                            + " void org.apache.storm.utils.Utils.gone\\(\\), used at com.acme.Gone.main\\(.*");
        }
    }

    @Test
    void shouldMapNamesOfClassesInAConfiguration() {
        Map<String, Object> conf = new HashMap<>();
        conf.put("storm.messaging.transport", "backtype.storm.messaging.netty.Context");
        conf.put(
                "topology.kryo.register",
                List.of(
                        Map.of("storm.trident.topology.TransactionAttempt", "com.acme.Own"),
                        "backtype.storm.Old words"));

        assertThat(LegacyNames.inConf(conf))
                .containsEntry("storm.messaging.transport", "org.apache.storm.messaging.netty.Context")
                .containsEntry(
                        "topology.kryo.register",
                        List.of(
                                Map.of("org.apache.storm.trident.topology.TransactionAttempt", "com.acme.Own"),
                                "backtype.storm.Old words"));
        Map<String, Object> present = Map.of("a", List.of("org.apache.storm.Config"), "b", 1);
        assertThat(LegacyNames.inConf(present)).isSameAs(present);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static JarClassLoader loaderOfConverted(String name) throws Exception {
        return new JarClassLoader(
                new URL[] {JarClassLoader.urlOf(converted(name))}, LegacyJarTest.class.getClassLoader());
    }

    private static Path converted(String name) throws Exception {
        Path copy = folder.resolve(name);
        assertThat(LegacyJar.convert(old, copy)).isTrue();
        return copy;
    }

    private static Path compile(String name, Map<String, String> sources, String classPath) throws Exception {
        Map<String, String> units = new HashMap<>();
        sources.forEach(
                (type, text) -> units.put(type, "package " + type.substring(0, type.lastIndexOf('.')) + "; " + text));
        return CompiledJar.compile(folder.resolve(name), units, "-cp", classPath, "-nowarn");
    }
}
