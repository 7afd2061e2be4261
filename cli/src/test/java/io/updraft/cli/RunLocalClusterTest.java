package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.storm.StormSubmitter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a program that uses Storm's LocalCluster, compiled against Storm's server: in a thin jar, and in a jar that bundles
 * Storm.
 */
@Tag("long")
class RunLocalClusterTest {
    private static final String PROGRAM = "tutorial.Tutorial";
    private static final String OF_THE_SERVER = "org.apache.storm.daemon.nimbus.TopologyActions";

    @TempDir
    static Path jars;

    private static Path thin;
    private static Path fat;

    @TempDir
    Path directory;

    @BeforeAll
    static void compile() throws Exception {
        Path server = serverOfStorm();
        Path classes = compile(server, jars.resolve("classes"));
        thin = jars.resolve("thin.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(thin))) {
            pack(classes, out);
        }
        fat = jars.resolve("fat.jar");
        Set<String> names = new HashSet<>();
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(fat))) {
            pack(classes, out);
            merge(server, out, names);
            merge(
                    Path.of(StormSubmitter.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()),
                    out,
                    names);
        }
        assertThat(names).contains("org/apache/storm/LocalCluster.class", "defaults.yaml");
    }

    @Test
    void shouldRunAThinJar() throws Exception {
        assertRuns(UpdraftProcess.run(directory, "run", thin.toString(), PROGRAM));
    }

    @Test
    void shouldRunAJarThatBundlesStormWithoutLoadingItsServer() throws Exception {
        UpdraftProcess updraft = UpdraftProcess.run(directory, "run", fat.toString(), PROGRAM);
        assertRuns(updraft);
        assertThat(updraft.err()).noneMatch(line -> line.contains("Storm's server"));
    }

    @Test
    void shouldTellOfACopyOfStormsServerThatIsLoaded() throws Exception {
        UpdraftProcess updraft =
                UpdraftProcess.run(directory, "run", "--view=none", fat.toString(), PROGRAM, OF_THE_SERVER);
        assertThat(updraft.out()).contains("loaded " + OF_THE_SERVER);
        assertThat(updraft.err())
                .singleElement()
                .asString()
                .startsWith(
                        "updraft: the program loads " + OF_THE_SERVER + " from the copy of Storm's server in its jar");
        assertThat(updraft.exitCode()).isZero();
    }

    private static void assertRuns(UpdraftProcess updraft) {
        assertThat(updraft.out()).contains("topology tutorial ACTIVE", "answer hello", "completed [[nathan!]]");
        assertThat(updraft.err()).anyMatch(line -> line.startsWith("tutorial ran "));
        assertThat(updraft.exitCode()).isZero();
    }

    private static Path serverOfStorm() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("target", "storm"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("storm-server-"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    private static Path compile(Path server, Path classes) throws IOException {
        Files.createDirectory(classes);
        String source;
        try (InputStream in = RunLocalClusterTest.class.getResourceAsStream("/programs/Tutorial.java")) {
            source = new String(in.readAllBytes());
        }
        String classPath = server + File.pathSeparator + System.getProperty("java.class.path");
        StringWriter messages = new StringWriter();
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .getTask(
                                messages,
                                null,
                                null,
                                List.of("-d", classes.toString(), "-cp", classPath, "-proc:none", "-nowarn"),
                                null,
                                List.of(new Source(source)))
                        .call())
                .as(messages.toString())
                .isTrue();
        return classes;
    }

    private static void pack(Path classes, JarOutputStream out) throws IOException {
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                out.putNextEntry(
                        new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
                Files.copy(file, out);
            }
        }
    }

    private static void merge(Path jar, JarOutputStream out, Set<String> names) throws IOException {
        try (JarFile from = new JarFile(jar.toFile())) {
            for (JarEntry entry : (Iterable<JarEntry>) from.stream()::iterator) {
                if (!entry.isDirectory() && !entry.getName().startsWith("META-INF/") && names.add(entry.getName())) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    from.getInputStream(entry).transferTo(out);
                }
            }
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        private Source(String text) {
            super(URI.create("string:///tutorial/Tutorial.java"), JavaFileObject.Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }
}
