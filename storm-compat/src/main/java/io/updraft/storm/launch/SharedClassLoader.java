package io.updraft.storm.launch;

import java.io.File;
import java.io.IOException;
import java.lang.StackWalker.StackFrame;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Set;

/**
 * Loads the class path, as the JVM's system class loader ({@code -Djava.system.class.loader}), so that Storm's client finds what is in a
 * program's jar. On a worker of Storm the jar is on the class path, and Storm's client finds state providers, serializers and the like
 * there by {@code Class.forName}. Here a jar has a loader of its own; when a class of Storm's asks for one that the class path does not
 * have, the program is asked whose code the calling thread runs: the thread's context class loader.
 *
 * <p>The JVM remembers what it found: when two programs of one process bring different classes of one name for Storm's client to find,
 * the first is used by both.
 */
public final class SharedClassLoader extends URLClassLoader {
    private static final Set<String> ASKING = Set.of("org.apache.storm.", "com.esotericsoftware.");
    private static final String OWN_PACKAGE = SharedClassLoader.class.getPackageName() + ".";
    private static final StackWalker STACK = StackWalker.getInstance();

    static {
        registerAsParallelCapable();
    }

    /**
     * Called by the JVM.
     *
     * @param parent the JVM's own loader of the class path; only its parent is asked, except for this package
     */
    public SharedClassLoader(ClassLoader parent) {
        this(parent, classPath());
    }

    SharedClassLoader(ClassLoader parent, URL[] classPath) {
        super("updraft", classPath, new OwnPackage(parent));
    }

    /** The program is asked while no lock of this loader is held: its loader asks this one while it holds its own. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        try {
            return super.loadClass(name, resolve);
        } catch (ClassNotFoundException e) {
            ClassLoader program = Thread.currentThread().getContextClassLoader();
            if (program instanceof ProgramClasses classes && isAskedByStorm()) {
                return classes.findOwn(name);
            }
            throw e;
        }
    }

    /**
     * Called by the JVM when an agent brings a jar.
     *
     * @param jar the file
     */
    void appendToClassPathForInstrumentation(String jar) {
        addURL(url(jar));
    }

    /** {@return whether the class that asks to load another is of Storm's client, or of the serializer that it uses} */
    private static boolean isAskedByStorm() {
        String asking = STACK.walk(frames -> frames.map(StackFrame::getClassName)
                .filter(name -> !name.startsWith("java.lang.") && !name.startsWith(OWN_PACKAGE))
                .findFirst()
                .orElse(""));
        return ASKING.stream().anyMatch(asking::startsWith);
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(SharedClassLoader::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(entry + ": is no name of a file", e);
        }
    }

    /** The JDK's modules, and of the class path nothing but this package: it must not be loaded twice. */
    private static final class OwnPackage extends ClassLoader {
        private final ClassLoader classPath;

        OwnPackage(ClassLoader classPath) {
            super(ClassLoader.getPlatformClassLoader());
            this.classPath = classPath;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith(OWN_PACKAGE)) {
                return classPath.loadClass(name);
            }
            throw new ClassNotFoundException(name);
        }

        @Override
        protected Enumeration<URL> findResources(String name) throws IOException {
            return Collections.emptyEnumeration();
        }
    }
}
