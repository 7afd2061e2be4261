package io.updraft.storm;

import io.updraft.storm.launch.ProgramClasses;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads a program's jar. The program's own libraries win over ours, so that it may bring another version of anything;
 * only what it shares with the engine comes from the process first: Storm's API, the types in its signatures, logging,
 * and Updraft. A jar that bundles Storm works: its copy is not looked at, but for those parts of Storm's server that nobody else has. The
 * first of these that is loaded is told of, since what it starts is Storm's and not ours.
 */
final class JarClassLoader extends URLClassLoader implements ProgramClasses {

    /** Packages that program and engine must agree about. */
    private static final List<String> SHARED = List.of(
            "java.",
            "javax.",
            "jdk.",
            "sun.",
            "org.apache.storm.",
            "io.updraft.",
            "com.codahale.metrics.",
            "com.esotericsoftware.",
            "org.slf4j.",
            "org.apache.logging.log4j.",
            "org.apache.log4j.");

    /**
     * Files that are Storm's, though a jar that bundles Storm has them too: of its defaults Storm allows one copy, and
     * classes of settings it looks up where it lies itself.
     */
    private static final Set<String> STORMS_OWN =
            Set.of("defaults.yaml", "META-INF/services/org.apache.storm.validation.Validated");

    /** Where Storm's server has its daemons and what only they use. */
    private static final List<String> STORMS_SERVER = List.of(
            "org.apache.storm.container.",
            "org.apache.storm.daemon.",
            "org.apache.storm.healthcheck.",
            "org.apache.storm.localizer.",
            "org.apache.storm.metricstore.",
            "org.apache.storm.nimbus.",
            "org.apache.storm.scheduler.");

    private static final Logger LOG = LoggerFactory.getLogger(JarClassLoader.class);

    static {
        registerAsParallelCapable();
    }

    private final boolean hasJar;
    private final AtomicBoolean serverSeen = new AtomicBoolean();
    private final NativeLibraries libraries = new NativeLibraries(this);
    private volatile Consumer<String> teller = line -> {};

    /**
     * Creates a loader.
     *
     * @param jars the program's jar, and jars that came with it; none if the program is on the class path
     */
    JarClassLoader(URL[] jars, ClassLoader parent) {
        super("topology-jar", jars, parent);
        hasJar = jars.length > 0;
    }

    /** Whether the first of its files is the program's jar. */
    boolean hasJar() {
        return hasJar;
    }

    /** Tells somebody, in one line, when a copy of Storm's server is loaded; it is in the log anyway. */
    void tell(Consumer<String> someone) {
        teller = someone;
    }

    /** Looks there too, behind what it has already. */
    void add(URL url) {
        addURL(url);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (SHARED.stream().anyMatch(name::startsWith)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            if (type == null) {
                type = ownOrParents(name);
            }
            if (resolve) {
                resolveClass(type);
            }
            return type;
        }
    }

    @Override
    public Class<?> findOwn(String name) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            return type == null ? findClass(name) : type;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Class<?> found = super.findClass(name);
        if (STORMS_SERVER.stream().anyMatch(name::startsWith) && serverSeen.compareAndSet(false, true)) {
            String line = "the program loads " + name
                    + " from the copy of Storm's server in its jar; what that starts is not run by Updraft";
            LOG.warn("{}", line);
            teller.accept(line);
        }
        return found;
    }

    /** Called by {@code System.loadLibrary} for classes of the program, before the JVM looks on its {@code java.library.path}. */
    @Override
    protected String findLibrary(String name) {
        return libraries.find(System.mapLibraryName(name));
    }

    @Override
    public void close() throws IOException {
        libraries.close();
        super.close();
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? getParent().getResource(name) : own;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> found = Collections.list(findResources(name));
        found.addAll(Collections.list(getParent().getResources(name)));
        return Collections.enumeration(found);
    }

    @Override
    public URL findResource(String name) {
        return STORMS_OWN.contains(name) ? null : super.findResource(name);
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        return STORMS_OWN.contains(name) ? Collections.emptyEnumeration() : super.findResources(name);
    }

    private Class<?> ownOrParents(String name) throws ClassNotFoundException {
        try {
            return findClass(name);
        } catch (ClassNotFoundException e) {
            return getParent().loadClass(name);
        }
    }
}
