package io.updraft.storm;

import org.apache.storm.utils.Utils;

/**
 * Storm's one loader for objects that its own bolts deserialize ({@code BatchBoltExecutor} of linear DRPC, for one). Storm
 * has one for the whole process, where several programs may run: the one whose component is about to be prepared is put
 * there. It is kept no longer than its program.
 */
final class ProgramLoaders {
    private static ClassLoader current;

    private ProgramLoaders() {}

    /** Lets Storm find the classes of this program from now on. */
    static synchronized void use(ClassLoader loader) {
        if (current != loader) {
            current = loader;
            Utils.setClassLoaderForJavaDeSerialize(loader);
        }
    }

    /** Lets a program go. */
    static synchronized void forget(ClassLoader loader) {
        if (current == loader) {
            current = null;
            Utils.setClassLoaderForJavaDeSerialize(null);
        }
    }
}
