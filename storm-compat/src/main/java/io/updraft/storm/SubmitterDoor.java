package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.storm.utils.NimbusClient;

/**
 * Storm's own door for running in process: while it is open, {@code StormSubmitter}, {@code NimbusClient} and all that
 * build on them reach a cluster of this process, without any change to the program and without an installation.
 *
 * <p>It is made of process-wide state of Storm's client: the override of {@link NimbusClient} and the system properties
 * {@code storm.options}, {@code storm.conf.file} and {@code storm.jar}. So there is one open door at a time; what was
 * there before is put back by {@link #close()}. Opening and closing are for one thread; submitting is for any.
 *
 * <p>A cluster that the program makes for itself meanwhile is a guest of this one: {@link UpdraftCluster#clusters()}.
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
     * <p>The configuration is shown to Storm's client as an installed Storm would: files as {@code storm.yaml}, options as
     * {@code storm jar -c}, which Storm puts over what a program submits. The cluster itself has to be built with the
     * files' settings beneath ({@link UpdraftCluster.Builder#withDaemonConf(java.util.Map)}).
     *
     * @param cluster where topologies go
     * @param config configuration from outside the program
     * @return the open door
     * @throws IllegalStateException when another door, or Storm's {@code LocalCluster}, is open in this process
     * @throws UncheckedIOException when no temporary file can be written
     */
    public static SubmitterDoor open(UpdraftCluster cluster, StormConfig config) {
        if (NimbusClient.isLocalOverride()) {
            throw new IllegalStateException(
                    "submissions of this process go to another cluster already; close it first");
        }
        SubmitterDoor door = new SubmitterDoor();
        try {
            door.show(config);
            door.override = NimbusOverride.open(LocalNimbus.of(cluster));
            openTo = cluster;
            return door;
        } catch (IOException e) {
            door.close();
            throw new UncheckedIOException("could not write the temporary files that Storm's client reads", e);
        }
    }

    /** {@return the cluster to which a door is open; null if there is none} */
    static UpdraftCluster openTo() {
        return openTo;
    }

    /** Closes the door: from now on Storm's client looks for a real Nimbus. Idempotent. */
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
            throw new UncheckedIOException("could not remove the temporary files that Storm's client read", e);
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
