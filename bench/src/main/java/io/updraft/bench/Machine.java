package io.updraft.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The machine that is measured on, and whether it is fit for it. */
public final class Machine {

    private static final int LEAST_CORES = 2;
    private static final double IDLE_LOAD_PER_CORE = 0.3;

    private Machine() {}

    /** {@return cores, system and JDK} */
    public static String description() {
        return cores() + " cores, " + System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", JDK "
                + Runtime.version();
    }

    /** {@return what speaks against measuring here and now, in sentences} */
    public static List<String> warnings() {
        return warnings(cores(), ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }

    static List<String> warnings(int cores, double load) {
        List<String> warnings = new ArrayList<>();
        if (cores < LEAST_CORES) {
            warnings.add(
                    "WARNING: only " + cores + " core; runtimes with several threads need at least " + LEAST_CORES);
        }
        if (load > IDLE_LOAD_PER_CORE * cores) {
            warnings.add(String.format(
                    Locale.ROOT,
                    "WARNING: the load average is %.1f on %d cores; others are working here, do not trust the numbers",
                    load,
                    cores));
        }
        return warnings;
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
