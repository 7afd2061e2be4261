package io.updraft.bench;

import io.updraft.bench.workers.WorkersRuntime;
import java.util.List;

/** The option {@code --on storm-cluster}, which also measures Updraft's workers on a Storm cluster of this host. */
public final class StormClusterOption {

    /** The option's name. */
    public static final String NAME = "--on";

    private static final String VALUE = "storm-cluster";

    private StormClusterOption() {}

    /**
     * Checks the option's value.
     *
     * @param value the value; null when the option is not given
     * @param several whether there are runs in several workers
     * @return whether the option is given
     * @throws UsageError when the value is wrong, or when there are no runs in several workers
     */
    public static boolean isGiven(String value, boolean several) {
        if (value != null && !several) {
            throw UsageError.ofOneWorker(NAME, value);
        }
        if (value != null && !value.equals(VALUE)) {
            throw new UsageError(NAME, value, "must be '" + VALUE + "'");
        }
        return value != null;
    }

    /**
     * {@return the class path of a harness that runs on the cluster}
     *
     * @throws UsageError when a part of the cluster is not built
     */
    public static String classPath() {
        return BenchClassPaths.stormCluster(NAME, VALUE);
    }

    /**
     * {@return the JVM options of a harness whose cluster has Updraft's workers}
     *
     * @throws UsageError when the archive with the workers is not built
     */
    public static List<String> jvmOptions() {
        return List.of("-D" + WorkersRuntime.ARCHIVE + "=" + BenchClassPaths.archive(NAME, VALUE));
    }
}
