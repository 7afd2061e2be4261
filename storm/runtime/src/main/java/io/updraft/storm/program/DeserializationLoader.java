package io.updraft.storm.program;

import org.apache.storm.utils.Utils;

/**
 * Sets the class loader for objects that Storm's own bolts deserialize, for example {@code BatchBoltExecutor} of linear DRPC.
 * Storm has one such loader for the whole process, where several programs may run. It is set to the program whose component is
 * about to be prepared. It is cleared when that program ends.
 */
public final class DeserializationLoader {
    private static ClassLoader current;

    private DeserializationLoader() {}

    /** Makes Storm load the classes of this program from now on. */
    public static synchronized void use(ClassLoader loader) {
        if (current != loader) {
            current = loader;
            Utils.setClassLoaderForJavaDeSerialize(loader);
        }
    }

    public static synchronized void forget(ClassLoader loader) {
        if (current == loader) {
            current = null;
            Utils.setClassLoaderForJavaDeSerialize(null);
        }
    }
}
