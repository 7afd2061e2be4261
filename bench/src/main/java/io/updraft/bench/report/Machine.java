package io.updraft.bench.report;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Describes the machine of a benchmark and warns when its results would be unreliable. */
public final class Machine {

    private static final int LEAST_CORES = 2;
    private static final double IDLE_LOAD_PER_CORE = 0.3;

    private Machine() {}

    /** {@return the number of cores, the operating system and the JDK version} */
    public static String description() {
        return cores() + " cores, " + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", JDK "
                + Runtime.version();
    }

    /** {@return warnings about too few cores or a high load average, one sentence each; empty if there are none} */
    public static List<String> warnings() {
        return warnings(cores(), ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    static List<String> warnings(int cores, double load) {
        List<String> warnings = new ArrayList<>();
        if (cores < LEAST_CORES) {
            warnings.add(
                    "WARNING: only " + cores + " core, results are not reliable; runtimes with several threads need "
                            + "at least "
                            + LEAST_CORES);
        }
        if (load > IDLE_LOAD_PER_CORE * cores) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "WARNING: the load average is %.1f on %d cores; other processes use the CPU, results are not "
                            + "reliable",
                    load,
                    cores));
        }
        return warnings;
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
