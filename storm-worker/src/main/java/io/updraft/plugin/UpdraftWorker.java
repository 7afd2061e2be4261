package io.updraft.plugin;

import java.lang.reflect.InvocationTargetException;

/**
 * The main class of a worker, which a Supervisor launches where {@code supervisor.worker.version.main.map} names it. It takes
 * the arguments of Storm's own worker.
 */
public final class UpdraftWorker {

    private static final String WORKER = "io.updraft.cluster.supervised.SupervisedWorker";

    private UpdraftWorker() {}

    /**
     * Runs the worker until it ends, with Updraft's libraries in a class loader of their own.
     *
     * @param args topology, Supervisor, its port, port, worker
     * @throws ReflectiveOperationException when Updraft's libraries are not those of one version
     */
    public static void main(String[] args) throws ReflectiveOperationException {
        // Stays open: classes are loaded for as long as the worker runs.
        Class<?> worker = LibraryLoader.beside(UpdraftWorker.class).loadClass(WORKER);
        try {
            worker.getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(e.getCause());
        }
    }
}
