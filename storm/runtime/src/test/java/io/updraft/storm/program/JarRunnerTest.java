package io.updraft.storm.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.updraft.storm.JarRunException;
import io.updraft.storm.JarRunException.Kind;
import io.updraft.storm.JarRunner;
import io.updraft.storm.TestJars;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.conf.SystemProperties;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarRunnerTest {
    @TempDir
    Path folder;

    @Test
    void shouldSayThatAJarDoesNotExist() {
        assertRefused(folder.resolve("none.jar"), Kind.NO_SUCH_JAR, "none.jar: no such file");
    }

    @Test
    void shouldSayThatAFileIsNoJar() throws Exception {
        Path text = Files.writeString(folder.resolve("text.jar"), "this is text");

        assertRefused(text, Kind.NOT_A_JAR, "text.jar: is not a jar");
        assertRefused(folder, Kind.NOT_A_JAR, "is a directory, not a jar");
    }

    @Test
    void shouldSuggestClassesNearAMistypedName() throws Exception {
        JarRunException refusal = runAndFail("com.acme.Programs$Submit");

        assertThat(refusal.kind()).isEqualTo(Kind.NO_SUCH_CLASS);
        assertThat(refusal)
                .hasMessage("there is no class com.acme.Programs$Submit in programs.jar;"
                        + " did you mean com.acme.Programs$Submits?");
        assertThat(runAndFail("org.other.programs")).hasMessageEndingWith("did you mean com.acme.Programs?");
        assertThat(runAndFail("com.acme.Entirely.Different"))
                .hasMessage("there is no class com.acme.Entirely.Different in programs.jar");
    }

    @Test
    void shouldExplainANameWithSlashes() throws Exception {
        JarRunException refusal = runAndFail("com/acme/Programs");

        assertThat(refusal.kind()).isEqualTo(Kind.NO_SUCH_CLASS);
        assertThat(refusal).hasMessageContaining("com.acme.Programs");
    }

    @Test
    void shouldSayThatAClassHasNoMain() throws Exception {
        assertThat(runAndFail("com.acme.Programs$NoMain"))
                .hasMessage("com.acme.Programs$NoMain has no 'public static void main(String[])'")
                .extracting(JarRunException::kind)
                .isEqualTo(Kind.NO_MAIN);
        assertThat(runAndFail("com.acme.Programs$NotStatic"))
                .hasMessage("com.acme.Programs$NotStatic: its main method is not static");
    }

    @Test
    void shouldUnwrapWhatMainThrew() throws Exception {
        JarRunException failure = runAndFail("com.acme.Programs$Fails");

        assertThat(failure.kind()).isEqualTo(Kind.PROGRAM_FAILED);
        assertThat(failure).hasMessage("com.acme.Programs$Fails failed: IllegalStateException: no input given");
        assertThat(failure.getCause()).isInstanceOf(IllegalStateException.class);
        assertThat(failure.getCause().getStackTrace()[0].getMethodName()).isEqualTo("main");
    }

    @Test
    void shouldRunAProgramInItsOwnLoaderAndSayWhenItSubmittedNothing() throws Exception {
        try (SystemProperties seen = new SystemProperties()) {
            List.of("args", "jar", "own-loader", "storm-shared").forEach(name -> seen.set("programs." + name, ""));
            ClassLoader before = Thread.currentThread().getContextClassLoader();

            JarRunException failure = runAndFail("com.acme.Programs$LooksAround", "a", "b c");

            assertThat(failure.kind()).isEqualTo(Kind.NOTHING_SUBMITTED);
            assertThat(System.getProperty("programs.args")).isEqualTo("a,b c");
            assertThat(System.getProperty("programs.jar")).endsWith("programs.jar");
            assertThat(System.getProperty("programs.own-loader")).isEqualTo("true");
            assertThat(System.getProperty("programs.storm-shared")).isEqualTo("true");
            assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(before);
        }
        assertThat(System.getProperty("storm.jar")).isNull();
    }

    @Test
    void shouldFindNativeLibrariesWhereWorkersOfStormDo() throws Exception {
        String file = System.mapLibraryName("own");
        String place =
                "resources/" + System.getProperty("os.name").replace(' ', '_') + "-" + System.getProperty("os.arch");
        Path jar = TestJars.programs(
                folder,
                Map.of(
                        place + "/" + file, "of this machine",
                        "resources/" + file, "of any",
                        "resources/" + System.mapLibraryName("any"), "of any"));
        Path copy;
        try (JarRunner runner = JarRunner.open(jar)) {
            JarClassLoader loader = (JarClassLoader) runner.loader();
            copy = Path.of(loader.findLibrary("own"));
            assertThat(copy).hasContent("of this machine");
            assertThat(loader.findLibrary("own")).isEqualTo(copy.toString());
            assertThat(Path.of(loader.findLibrary("any"))).hasContent("of any");
            assertThat(loader.findLibrary("none")).isNull();
        }
        assertThat(copy).doesNotExist();
    }

    /** The JDK's own libraries are loaded by other loaders: one of them, under another name, is a library like any. */
    @Test
    void shouldLetAProgramLoadItsNativeLibrary() throws Exception {
        Path library = Path.of(System.getProperty("java.home"), "lib", System.mapLibraryName("prefs"));
        assumeTrue(Files.exists(library));
        Path jar = TestJars.programs(folder);
        try (FileSystem files = FileSystems.newFileSystem(jar)) {
            Files.createDirectory(files.getPath("resources"));
            Files.copy(library, files.getPath("resources", System.mapLibraryName("updraft-own")));
        }
        try (SystemProperties seen = new SystemProperties();
                UpdraftCluster cluster = new UpdraftCluster();
                JarRunner runner = JarRunner.open(jar)) {
            seen.set("programs.library", "");
            assertThatThrownBy(() -> runner.run(cluster, "com.acme.Programs$LoadsALibrary", List.of("updraft-own")))
                    .hasMessageContaining("without submitting");
            assertThat(System.getProperty("programs.library")).isEqualTo("updraft-own");
            assertThatThrownBy(() -> runner.run(cluster, "com.acme.Programs$LoadsALibrary", List.of("updraft-no")))
                    .hasMessageContaining("UnsatisfiedLinkError");
        }
    }

    @Test
    void shouldNotLookAtTheCopyOfStormInAJarThatBundlesIt() throws Exception {
        Path jar = TestJars.programs(
                folder,
                Map.of(
                        "defaults.yaml", "topology.workers: 99",
                        "META-INF/services/org.apache.storm.validation.Validated", "com.acme.NotThere",
                        "own.txt", "mine"));
        try (JarRunner runner = JarRunner.open(jar)) {
            assertThat(Collections.list(runner.loader().getResources("defaults.yaml")))
                    .hasSize(1)
                    .allSatisfy(url -> assertThat(url.toString()).contains("storm-client"));
            assertThat(runner.loader().getResource("defaults.yaml").toString()).contains("storm-client");
            assertThat(runner.loader().getResource("META-INF/services/org.apache.storm.validation.Validated"))
                    .isNull();
            assertThat(runner.loader().getResource("own.txt")).isNotNull();
        }
    }

    private JarRunException runAndFail(String mainClass, String... args) throws Exception {
        try (UpdraftCluster cluster = new UpdraftCluster();
                JarRunner runner = JarRunner.open(TestJars.programs(folder))) {
            return catchThrowableOfType(JarRunException.class, () -> runner.run(cluster, mainClass, List.of(args)));
        }
    }

    private static void assertRefused(Path jar, Kind kind, String message) {
        JarRunException refusal = catchThrowableOfType(JarRunException.class, () -> JarRunner.open(jar));
        assertThat(refusal.kind()).isEqualTo(kind);
        assertThat(refusal).hasMessageContaining(message);
        assertThat(refusal.getMessage()).doesNotContain("\n");
    }
}
