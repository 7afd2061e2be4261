package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.storm.utils.NimbusClient;

/**
 * Redirects Storm's client to a cluster of this process, by Storm's own means. While the door is open, {@code StormSubmitter},
 * {@code NimbusClient} and all code built on them reach that cluster. The program does not change and needs no installation.
 *
 * <p>The redirection is process-wide state of Storm's client: the override of {@link NimbusClient} and the system properties
 * {@code storm.options}, {@code storm.conf.file} and {@code storm.jar}. Only one door can be open at a time. {@link #close()}
 * restores the previous state. One thread opens and closes the door; any thread may submit.
 *
 * <p>A cluster that the program creates meanwhile is a guest of this one: {@link UpdraftCluster#clusters()}.
 */
public final class SubmitterDoor implements AutoCloseable {
    private static volatile UpdraftCluster openTo;

    private final SystemProperties properties = new SystemProperties();
    private final SubmitterFiles files = new SubmitterFiles();
    private NimbusOverride override;

    private SubmitterDoor() {}

    /**
     * Opens the door.
     *
     * <p>Storm's client sees the configuration as with an installed Storm: files as {@code storm.yaml}, options as {@code storm
     * jar -c}. Storm applies the options over the configuration that a program submits. Build the cluster with the files'
     * settings as defaults ({@link UpdraftCluster.Builder#withDaemonConf(java.util.Map)}).
     *
     * @param cluster runs the topologies
     * @param config configuration from outside the program
     * @return the open door
     * @throws IllegalStateException when another door, or Storm's {@code LocalCluster}, is open in this process
     * @throws UncheckedIOException when a temporary file cannot be written
     */
    public static SubmitterDoor open(UpdraftCluster cluster, StormConfig config) {
        if (NimbusClient.isLocalOverride()) {
            throw new IllegalStateException(
                    "submissions of this process already go to another cluster; close that cluster first");
        }
        SubmitterDoor door = new SubmitterDoor();
        try {
            door.show(config);
            door.override = NimbusOverride.open(LocalNimbus.of(cluster));
            openTo = cluster;
            return door;
        } catch (IOException e) {
            door.close();
            throw new UncheckedIOException("cannot write the temporary files that Storm's client reads", e);
        }
    }

    /** {@return the cluster of the open door; null if no door is open} */
    static UpdraftCluster openTo() {
        return openTo;
    }

    /** Closes the door: from now on Storm's client connects to a real Nimbus. Idempotent. */
    @Override
    public void close() {
        if (override != null) {
            openTo = null;
            override.close();
            override = null;
        }
        properties.close();
        try {
            files.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove the temporary files of Storm's client", e);
        }
    }

    private void show(StormConfig config) throws IOException {
        if (!config.options().isEmpty()) {
            String before = System.getProperty("storm.options", "");
            properties.set("storm.options", (before.isEmpty() ? "" : before + ",") + config.asStormOptions());
        }
        if (!config.files().isEmpty()) {
            properties.set("storm.conf.file", files.yaml(config.files()).toString());
        }
        if (System.getProperty("storm.jar") == null) {
            properties.set("storm.jar", files.standInJar().toString());
        }
    }
}
