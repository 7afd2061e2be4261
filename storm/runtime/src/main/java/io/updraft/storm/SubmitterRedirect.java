package io.updraft.storm;

import io.updraft.storm.conf.StormConfig;
import io.updraft.storm.conf.SystemProperties;
import io.updraft.storm.program.TemporaryDirectories;
import io.updraft.storm.text.FailureMessages;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.utils.NimbusClient;

/**
 * Redirects Storm's client to a cluster of this process, by Storm's own means. While a redirect is open, {@code StormSubmitter},
 * {@code NimbusClient} and all code built on them reach that cluster. The program does not change and needs no installation.
 *
 * <p>The redirection is process-wide state of Storm's client: the override of {@link NimbusClient} and the system properties
 * {@code storm.options}, {@code storm.conf.file} and {@code storm.jar}. Only one can be open at a time. {@link #close()}
 * restores the previous state. One thread opens and closes it; any thread may submit.
 *
 * <p>A cluster that the program creates meanwhile is a guest of this one: {@link UpdraftCluster#clusters()}.
 */
public final class SubmitterRedirect implements AutoCloseable {
    private static volatile UpdraftCluster redirectedTo;

    private final SystemProperties properties = new SystemProperties();
    private final TemporaryDirectories directories = new TemporaryDirectories();
    private NimbusOverride override;

    private SubmitterRedirect() {}

    /**
     * Opens the redirect.
     *
     * <p>Storm's client sees the configuration as with an installed Storm: files as {@code storm.yaml}, options as {@code storm
     * jar -c}. Storm applies the options over the configuration that a program submits. Build the cluster with the files'
     * settings as defaults ({@link UpdraftCluster.Builder#withDaemonConf(java.util.Map)}).
     *
     * @param cluster runs the topologies
     * @param config configuration from outside the program
     * @return the open redirect
     * @throws IllegalStateException when another redirect, or Storm's {@code LocalCluster}, is open in this process
     * @throws UncheckedIOException when a temporary file cannot be written
     */
    public static SubmitterRedirect open(UpdraftCluster cluster, StormConfig config) {
        if (NimbusClient.isLocalOverride()) {
            throw new IllegalStateException(
                    "submissions of this process already go to another cluster; close that cluster first");
        }
        SubmitterRedirect redirect = new SubmitterRedirect();
        try {
            redirect.show(config);
            redirect.override = NimbusOverride.open(LocalNimbus.of(cluster));
            redirectedTo = cluster;
            return redirect;
        } catch (IOException | UncheckedIOException e) {
            redirect.close();
            throw new UncheckedIOException(
                    "cannot write the temporary files that Storm's client reads",
                    FailureMessages.find(e, IOException.class));
        }
    }

    /** {@return the cluster of the open redirect; null if none is open} */
    static UpdraftCluster redirectedTo() {
        return redirectedTo;
    }

    /** Closes the redirect: from now on Storm's client connects to a real Nimbus. Idempotent. */
    @Override
    public void close() {
        if (override != null) {
            redirectedTo = null;
            override.close();
            override = null;
        }
        properties.close();
        directories.close();
    }

    private void show(StormConfig config) throws IOException {
        if (!config.options().isEmpty()) {
            String before = System.getProperty("storm.options", "");
            properties.set("storm.options", (before.isEmpty() ? "" : before + ",") + config.asStormOptions());
        }
        if (!config.files().isEmpty()) {
            properties.set("storm.conf.file", yaml(config.files()).toString());
        }
        if (System.getProperty("storm.jar") == null) {
            properties.set("storm.jar", standInJar().toString());
        }
    }

    /** Creates one YAML file with all settings: Storm's client reads a single file. */
    private Path yaml(Map<String, Object> settings) throws IOException {
        return Files.writeString(files().resolve("storm.yaml"), new Yaml().dump(settings), StandardCharsets.UTF_8);
    }

    /**
     * Creates an empty jar for a program without one: Storm refuses to submit without a jar, and reads the jar to upload it.
     */
    private Path standInJar() throws IOException {
        Path jar = files().resolve("topology.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        try (OutputStream file = Files.newOutputStream(jar)) {
            new JarOutputStream(file, manifest).close();
        }
        return jar;
    }

    private Path files() {
        return directories.directory("submitter");
    }
}
