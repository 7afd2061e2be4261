package io.updraft.observe.death;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/** Asks the JVM which classes have the most bytes in the heap. */
final class ClassHistogram {
    private static final String BEAN = "com.sun.management:type=DiagnosticCommand";

    /** The lines above the first class. */
    private static final int HEAD_LINES = 3;

    private ClassHistogram() {}

    /**
     * Returns the head and the largest classes, a line each. Counts garbage too: the JVM has just collected it in vain, and a
     * further collection of a full heap may take long.
     */
    static List<String> largest(int classes) throws JMException {
        Object text = command("gcClassHistogram", new Object[] {new String[] {"-all"}}, String[].class.getName());
        return String.valueOf(text).lines().limit(HEAD_LINES + classes).toList();
    }

    /** Loads what {@link #largest} needs, without the pause of a histogram. */
    static void preload() throws JMException {
        command("vmVersion", new Object[0]);
    }

    private static Object command(String name, Object[] arguments, String... signature) throws JMException {
        return ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName(BEAN), name, arguments, signature);
    }
}
