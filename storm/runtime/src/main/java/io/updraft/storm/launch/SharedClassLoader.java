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
 * Loads the class path of the JVM: Updraft, Storm's client and their libraries. In a Storm worker the program's jar is on that
 * class path too, where Storm's client finds state providers, serializers and similar classes by {@code Class.forName}, and
 * where Java's deserialization finds the classes of values. Here each jar has its own class loader. When Storm's code or Java's
 * deserialization requests a class that the class path does not have, this loader asks the program of the calling thread.
 *
 * <p>The JVM caches the result. If two programs of one process have different classes of one name for Storm's client, both get
 * the class of the first.
 */
final class SharedClassLoader extends URLClassLoader {
    private static final Set<String> ASKING = Set.of("org.apache.storm.", "com.esotericsoftware.", "java.io.");
    private static final String OWN_PACKAGE = SharedClassLoader.class.getPackageName() + ".";
    private static final StackWalker STACK = StackWalker.getInstance();

    static {
        registerAsParallelCapable();
    }

    /** Creates a loader of the JVM's class path. Of the JVM's own loader, only the parent is used, and this package. */
    SharedClassLoader(ClassLoader parent) {
        this(parent, classPath());
    }

    SharedClassLoader(ClassLoader parent, URL[] classPath) {
        super("updraft", classPath, new OwnPackage(parent));
    }

    /** Asks the program without a lock of this loader: the program's loader calls this one while it holds its own lock. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        try {
            return super.loadClass(name, resolve);
        } catch (ClassNotFoundException e) {
            ClassLoader program = isAskedForTheProgram() ? SystemClassLoader.programOfCallingThread() : null;
            if (program == null) {
                throw e;
            }
            return ((ProgramClasses) program).findOwn(name);
        }
    }

    void append(String jar) {
        addURL(url(jar));
    }

    /**
     * Returns whether the class that requests the other one belongs to Storm's client, to the serializer that Storm uses, or
     * to Java's own serialization.
     */
    private static boolean isAskedForTheProgram() {
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
            throw new IllegalArgumentException(entry + ": is not a valid file name", e);
        }
    }

    /** Finds the JDK's modules and, of the class path, only this package: its classes must not be loaded twice. */
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
