package io.updraft.storm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;

/** Temporary files that {@code StormSubmitter} requires. Not safe for use by several threads. */
final class SubmitterFiles implements AutoCloseable {
    private Path directory;

    /**
     * Creates an empty jar for a program without one: Storm refuses to submit without a jar, and reads the jar to upload it.
     */
    Path standInJar() throws IOException {
        Path jar = directory().resolve("topology.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
        return jar;
    }

    /** Creates one YAML file with all settings: Storm's client reads a single file. */
    Path yaml(Map<String, Object> settings) throws IOException {
        return Files.writeString(directory().resolve("storm.yaml"), new Yaml().dump(settings), StandardCharsets.UTF_8);
    }

    /** Removes the files. */
    @Override
    public void close() throws IOException {
        if (directory != null) {
            Files.deleteIfExists(directory.resolve("topology.jar"));
            Files.deleteIfExists(directory.resolve("storm.yaml"));
            Files.deleteIfExists(directory);
            directory = null;
        }
    }

    private Path directory() throws IOException {
        if (directory == null) {
            directory = Files.createTempDirectory("updraft-submitter-").toRealPath();
        }
        return directory;
    }
}
