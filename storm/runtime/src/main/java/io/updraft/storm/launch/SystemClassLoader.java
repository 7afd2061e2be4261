package io.updraft.storm.launch;

import java.io.IOException;
import java.net.URL;
import java.util.Enumeration;

/**
 * Loads, as the JVM's system class loader ({@code -Djava.system.class.loader}), what the program that runs in the process loads.
 * In a Storm worker the program's jar is on the class path. There the system class loader finds the classes and files of the
 * jar, and so do threads of {@link java.util.concurrent.ForkJoinPool#commonPool()}, whose context class loader is the system's.
 * This loader defines no class. It passes each request to the program's loader, or to a {@link SharedClassLoader} of the class
 * path while there is no program.
 */
public final class SystemClassLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private final SharedClassLoader classPath;
    private volatile ClassLoader program;

    /**
     * Called by the JVM.
     *
     * @param parent the JVM's own class loader of the class path
     */
    public SystemClassLoader(ClassLoader parent) {
        this(new SharedClassLoader(parent));
    }

    private SystemClassLoader(SharedClassLoader classPath) {
        super("system", classPath);
        this.classPath = classPath;
    }

    /**
     * Makes a program the one of this process. Has no effect in a JVM with another system class loader.
     *
     * @param loader the program's class loader, {@link ProgramClasses}; null for none
     */
    public static void setProgram(ClassLoader loader) {
        if (getSystemClassLoader() instanceof SystemClassLoader system) {
            system.program = loader;
        }
    }

    /**
     * Finds the loader of a program among a loader and its parents.
     *
     * @param first the first loader; may be null
     * @return a loader that is {@link ProgramClasses}; null if there is none
     */
    public static ClassLoader programAmong(ClassLoader first) {
        ClassLoader loader = first;
        while (loader != null && !(loader instanceof ProgramClasses)) {
            loader = loader instanceof SystemClassLoader system ? system.program : loader.getParent();
        }
        return loader;
    }

    /**
     * {@return the program's loader among the calling thread's context class loader and its parents, else that of the program of
     * the process; a {@link ProgramClasses}, or null if there is no program}
     */
    public static ClassLoader programOfCallingThread() {
        ClassLoader ofThread = programAmong(Thread.currentThread().getContextClassLoader());
        return ofThread == null ? programAmong(getSystemClassLoader()) : ofThread;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return current().loadClass(name);
    }

    @Override
    public URL getResource(String name) {
        return current().getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        return current().getResources(name);
    }

    private ClassLoader current() {
        ClassLoader running = program;
        return running == null ? classPath : running;
    }

    /** Called by the JVM when an agent adds a jar. */
    void appendToClassPathForInstrumentation(String jar) {
        classPath.append(jar);
    }
}
