package io.updraft.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.updraft.base.exit.UserError;
import io.updraft.cli.run.RunRequest.TopologyProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFinderTest {
    @TempDir
    Path home;

    @Test
    void shouldTakeTheFirstWordAfterAJarForItsMainClass() throws IOException {
        Path jar = jar("a.jar", "Main-Class", "acme.Other");
        assertThat(find(jar, "acme.Main", "x", "y"))
                .isEqualTo(new TopologyProgram(Optional.of(jar), "acme.Main", List.of("x", "y")));
    }

    @Test
    void shouldAskTheManifestWhenNothingFollowsTheJar() throws IOException {
        Path jar = jar("a.jar", "Main-Class", "acme.Main");
        assertThat(find(jar)).isEqualTo(new TopologyProgram(Optional.of(jar), "acme.Main", List.of()));
    }

    @Test
    void shouldAskForTheClassWhereTheManifestNamesNone() throws IOException {
        Path jar = jar("a.jar", "Built-By", "acme");
        assertThatThrownBy(() -> find(jar)).isInstanceOf(UserError.class).hasMessageContaining("which class?");
    }

    @Test
    void shouldFindTheProgramOfABuiltProjectWhereverTheUserIs() throws IOException {
        Path jar = jar("examples/it/target/it.jar", "Updraft-Main", "acme.It");
        jar("examples/it/target/it-sources.jar", "Main-Class", "acme.It");
        jar("examples/it/target/original-it.jar", "Main-Class", "acme.It");
        jar("examples/it/target/library.jar", "Built-By", "acme");
        assertThat(new ProgramFinder(home).find("examples/it", List.of("x")))
                .isEqualTo(new TopologyProgram(Optional.of(jar), "acme.It", List.of("x")));
    }

    @Test
    void shouldFindTheProgramOfADirectoryThatIsNoProject() throws IOException {
        Path jar = jar("examples/it/it.jar", "Main-Class", "acme.It");
        assertThat(new ProgramFinder(home).find("examples/it", List.of("x")))
                .isEqualTo(new TopologyProgram(Optional.of(jar), "acme.It", List.of("x")));
    }

    @Test
    void shouldTakeTheNewestOfSeveralVersionsOfAProgram() throws IOException {
        Path newer = jar("it/target/it-2.jar", "Main-Class", "acme.It");
        Path older = jar("it/target/it-3-old.jar", "Main-Class", "acme.It");
        assertThat(older.toFile().setLastModified(newer.toFile().lastModified() - 10_000))
                .isTrue();
        assertThat(find(home.resolve("it"))).isEqualTo(new TopologyProgram(Optional.of(newer), "acme.It", List.of()));
    }

    @Test
    void shouldNotGuessBetweenTwoPrograms() throws IOException {
        jar("it/target/one.jar", "Main-Class", "acme.One");
        jar("it/target/two.jar", "Main-Class", "acme.Two");
        assertThatThrownBy(() -> find(home.resolve("it"))).hasMessageContaining("one.jar, two.jar");
    }

    @Test
    void shouldTakeADescriptionForATopologyWithOrWithoutAJar() throws IOException {
        Path jar = jar("a.jar", "Main-Class", "acme.Main");
        Path description = Files.createFile(home.resolve("it.yaml"));
        assertThat(find(description, "--env-filter"))
                .isEqualTo(new TopologyProgram(
                        Optional.empty(), "io.updraft.flux.Flux", List.of(description.toString(), "--env-filter")));
        assertThat(find(jar, "it.yml"))
                .isEqualTo(new TopologyProgram(Optional.of(jar), "io.updraft.flux.Flux", List.of("it.yml")));
        assertThat(find(jar, "crawler.flux"))
                .isEqualTo(new TopologyProgram(Optional.of(jar), "io.updraft.flux.Flux", List.of("crawler.flux")));
    }

    private TopologyProgram find(Path name, String... words) {
        return new ProgramFinder(home).find(name.toString(), List.of(words));
    }

    private Path jar(String name, String attribute, String value) throws IOException {
        Path jar = home.resolve(name);
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name(attribute), value);
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return jar;
    }
}
