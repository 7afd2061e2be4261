package io.updraft.storm.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.CompiledJar;
import java.io.File;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyClasspathTest {

    @Test
    void shouldReadTextsAndLists() {
        assertThat(TopologyClasspath.entries(Map.of())).isEmpty();
        assertThat(TopologyClasspath.entries(Map.of(Config.TOPOLOGY_CLASSPATH, "a" + File.pathSeparator + "b/*")))
                .containsExactly("a", "b/*");
        assertThat(TopologyClasspath.entries(
                        Map.of(Config.TOPOLOGY_CLASSPATH, List.of("a", "b" + File.pathSeparator + "c"))))
                .containsExactly("a", "b", "c");
    }

    @Test
    void shouldLetAProgramFindWhatItsTopologyAdds(@TempDir Path folder) throws Exception {
        Path files = Files.createDirectory(folder.resolve("files"));
        Files.writeString(files.resolve("settings.txt"), "found");
        Path jars = Files.createDirectory(folder.resolve("jars"));
        Path jar = CompiledJar.of(folder, "more", "com.acme.Added", "package com.acme; public class Added {}");
        Files.move(jar, jars.resolve("more.jar"));
        try (JarClassLoader loader = new JarClassLoader(new URL[0], getClass().getClassLoader())) {
            TopologyClasspath.addTo(
                    loader,
                    Map.of(Config.TOPOLOGY_CLASSPATH, List.of(files.toString(), jars + "/*", folder + "/nothing.jar")));

            assertThat(new String(loader.getResourceAsStream("settings.txt").readAllBytes()))
                    .isEqualTo("found");
            assertThat(loader.loadClass("com.acme.Added").getClassLoader()).isSameAs(loader);
        }
    }
}
