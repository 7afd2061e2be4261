package io.updraft.storm.program;

import io.updraft.storm.launch.ProgramClasses;
import io.updraft.storm.launch.SystemClassLoader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the classes of a program's jar. The program's own libraries take precedence over those of this process, so that it may
 * bring another version of any library. Types that the program shares with the engine are loaded from the process first:
 * Storm's API, the types in its signatures, logging, and Updraft. A jar that bundles Storm works: its copy is ignored, except
 * for parts of Storm's server that the process does not have. The loader reports the first of these classes that is loaded,
 * because Storm, not Updraft, runs what that class starts.
 */
public final class JarClassLoader extends URLClassLoader implements ProgramClasses {

    /** Packages of types that program and engine must share. */
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
     * Files that are always Storm's, even if a jar that bundles Storm has them too. Storm allows one copy of its defaults, and
     * the classes of settings must come from Storm's own jar.
     */
    private static final Set<String> STORMS_OWN =
            Set.of("defaults.yaml", "META-INF/services/org.apache.storm.validation.Validated");

    /** Packages of the daemons of Storm's server and of the classes that only the daemons use. */
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
    private volatile Consumer<String> serverListener = line -> {};

    /**
     * Creates a loader of the program's jar and the jars that came with it; of none if the program is on the class path.
     */
    public JarClassLoader(URL[] jars, ClassLoader parent) {
        super("topology-jar", jars, parent);
        hasJar = jars.length > 0;
    }

    /** Returns the loader of a program's jar among a loader, which may be null, and its parents; null if there is none. */
    public static JarClassLoader among(ClassLoader first) {
        return (JarClassLoader) SystemClassLoader.programAmong(first);
    }

    boolean hasJar() {
        return hasJar;
    }

    /** Sets the receiver of one line of text when a copy of Storm's server is loaded. The log has that line in any case. */
    public void setServerListener(Consumer<String> listener) {
        serverListener = listener;
    }

    /** Adds a file, which is searched after all earlier ones. */
    public void add(Path file) {
        addURL(urlOf(file));
    }

    public static URL urlOf(Path file) {
        try {
            return file.toAbsolutePath().toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(file + ": is not a valid file name", e);
        }
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
                    + " from the copy of Storm's server in its jar; Updraft does not run what that class starts";
            LOG.warn("{}", line);
            serverListener.accept(line);
        }
        return found;
    }

    /**
     * Finds a native library. {@code System.loadLibrary} calls this for classes of the program, before the JVM searches its
     * {@code java.library.path}.
     */
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

    /**
     * The native libraries of a program's jar. They are searched in the directories that Storm puts on the {@code
     * java.library.path} of its workers: {@code resources/<os>-<arch>}, then {@code resources}. Each library is copied to a
     * temporary directory on first use.
     *
     * <p>Safe to use from any thread.
     */
    private static final class NativeLibraries implements AutoCloseable {
        private static final List<String> PLACES = List.of(
                "resources/" + System.getProperty("os.name").replaceAll("\\s+", "_") + "-"
                        + System.getProperty("os.arch") + "/",
                "resources/");

        private final JarClassLoader loader;
        private final TemporaryDirectories directories = new TemporaryDirectories();
        private final Map<String, String> copies = new HashMap<>();

        NativeLibraries(JarClassLoader loader) {
            this.loader = loader;
        }

        /** Returns the path of the copy of a library, the same each time; null if the jar has no such library. */
        synchronized String find(String file) {
            return copies.computeIfAbsent(file, this::copy);
        }

        private String copy(String file) {
            for (String place : PLACES) {
                URL found = loader.findResource(place + file);
                if (found != null) {
                    return copy(found, directories.directory("libraries").resolve(file));
                }
            }
            return null;
        }

        private static String copy(URL library, Path to) {
            try {
                URLConnection connection = library.openConnection();
                connection.setUseCaches(false);
                try (InputStream in = connection.getInputStream()) {
                    Files.copy(in, to);
                }
                return to.toString();
            } catch (IOException e) {
                throw new UncheckedIOException("cannot copy the native library " + library + ": " + e.getMessage(), e);
            }
        }

        @Override
        public synchronized void close() {
            directories.close();
        }
    }
}
