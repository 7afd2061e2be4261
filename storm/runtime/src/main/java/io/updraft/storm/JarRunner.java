package io.updraft.storm;

import io.updraft.base.text.OneLine;
import io.updraft.base.text.Spelling;
import io.updraft.engine.api.LinkageMessages;
import io.updraft.storm.JarRunException.Kind;
import io.updraft.storm.conf.SystemProperties;
import io.updraft.storm.launch.SystemClassLoader;
import io.updraft.storm.legacy.LegacyJar;
import io.updraft.storm.program.DeserializationLoader;
import io.updraft.storm.program.JarClassLoader;
import io.updraft.storm.program.ProgramFiles;
import io.updraft.storm.program.TemporaryDirectories;
import io.updraft.storm.text.FailureMessages;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.utils.Utils;

/**
 * Runs the {@code main} of a program in a jar in this process, as {@code storm jar} does. The program shares Storm's API and
 * this engine with the process; all other classes are loaded from its jar.
 *
 * <p>The jar stays open until {@link #close()}: topologies go on loading classes after {@code main} has returned. Use one
 * runner at a time, because a runner sets process-wide state: the system property {@code storm.jar}, Storm's class loader
 * for serialized objects, and the program of the {@link SystemClassLoader}.
 */
public final class JarRunner implements AutoCloseable {
    private static final long POLL_MILLIS = 50;
    private static final int QUIET_POLLS = 40;

    private final Path jar;
    private final JarClassLoader loader;
    private final TemporaryDirectories copies;
    private final SystemProperties properties = new SystemProperties();
    private volatile Consumer<String> progress = line -> {};

    private JarRunner(Path jar, JarClassLoader loader, TemporaryDirectories copies) {
        this.jar = jar;
        this.loader = loader;
        this.copies = copies;
        DeserializationLoader.use(loader);
        SystemClassLoader.setProgram(loader);
    }

    /**
     * Opens a jar.
     *
     * @param jar the file
     * @return a runner of the jar's programs
     * @throws JarRunException when the file does not exist or is not a jar
     */
    public static JarRunner open(Path jar) throws JarRunException {
        return open(jar, "");
    }

    /**
     * Opens the jar of a main class. Its Storm is found out sooner than without the name of the class.
     *
     * @param jar the file
     * @param mainClass the class to run
     * @return a runner of the jar's programs
     * @throws JarRunException when the file does not exist or is not a jar
     */
    public static JarRunner open(Path jar, String mainClass) throws JarRunException {
        checkJar(jar);
        TemporaryDirectories copies = new TemporaryDirectories();
        return openPresent(converted(jar.toAbsolutePath(), mainClass, copies), copies);
    }

    /** Opens a jar that another process has converted where it had to be. */
    private static JarRunner openConverted(Path jar) throws JarRunException {
        checkJar(jar);
        return openPresent(jar.toAbsolutePath(), new TemporaryDirectories());
    }

    /** Opens a jar of today's Storm. */
    private static JarRunner openPresent(Path jar, TemporaryDirectories copies) {
        JarClassLoader loader =
                new JarClassLoader(new URL[] {JarClassLoader.urlOf(jar)}, JarRunner.class.getClassLoader());
        JarRunner runner = new JarRunner(jar, loader, copies);
        runner.properties.set("storm.jar", jar.toString());
        return runner;
    }

    /** Returns a converted copy of a jar of Storm 0.9; any other jar itself. */
    private static Path converted(Path jar, String mainClass, TemporaryDirectories copies) throws JarRunException {
        try {
            if (!LegacyJar.isOfLegacyProgram(jar, mainClass)) {
                return jar;
            }
            Path copy = copies.directory("converted").resolve(jar.getFileName());
            LegacyJar.convert(jar, copy);
            return copy;
        } catch (IOException e) {
            copies.close();
            throw new JarRunException(Kind.NOT_A_JAR, jar + ": cannot be read: " + e.getMessage(), e);
        }
    }

    /** {@return a runner of programs on the class path of this process, without a jar} */
    public static JarRunner openClassPath() {
        JarClassLoader loader = new JarClassLoader(new URL[0], JarRunner.class.getClassLoader());
        return new JarRunner(null, loader, new TemporaryDirectories());
    }

    /**
     * Opens the files of a program that another process has opened.
     *
     * @param files the program's jar and the files searched after it
     * @return a runner of its programs
     * @throws JarRunException when the jar does not exist or is not a jar
     */
    public static JarRunner open(ProgramFiles files) throws JarRunException {
        JarRunner runner = files.jar().isPresent() ? openConverted(files.jar().get()) : openClassPath();
        files.libraries().forEach(runner.loader::add);
        return runner;
    }

    /**
     * Sets the receiver of progress lines. A line comes when the program first loads a part of Storm's server from its jar, and
     * when its {@code main} has returned and the runner waits for its threads.
     *
     * @param listener receives each line, on a thread of the program; must not block
     */
    public void setProgressListener(Consumer<String> listener) {
        progress = listener;
        loader.setServerListener(listener);
    }

    /** {@return the class loader of the program} */
    public ClassLoader loader() {
        return loader;
    }

    /**
     * Runs a program on the calling thread, with the jar's class loader as the context class loader. Returns when {@code main}
     * has returned and has submitted at least one topology. That topology goes on running, or has run in a cluster that the
     * program created for itself. If there is no submission yet, the call waits for the program's non-daemon threads, as the
     * JVM of {@code storm jar} does: one of them may still submit. Threads of the program are daemons by
     * default if the calling thread is one.
     *
     * @param cluster receives the program's submissions; its {@link SubmitterRedirect} must be open
     * @param mainClass the class with {@code main}
     * @param arguments the program's arguments
     * @throws JarRunException when the program cannot be run or has submitted no running topology
     */
    public void run(UpdraftCluster cluster, String mainClass, List<String> arguments) throws JarRunException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        TopologyStarts starts = cluster.starts();
        int started = starts.started();
        Throwable earlierRefusal = starts.lastRefusal();
        try {
            mainOf(mainClass).invoke(null, (Object) arguments.toArray(String[]::new));
        } catch (InvocationTargetException e) {
            throw failed(mainClass, e.getCause());
        } catch (IllegalAccessException e) {
            throw new JarRunException(Kind.NO_MAIN, mainClass + " is not public, so its main cannot be called", e);
        } catch (ExceptionInInitializerError e) {
            throw failed("a static initializer of " + mainClass, e.getCause());
        } catch (LinkageError e) {
            throw failed(mainClass, e);
        } finally {
            thread.setContextClassLoader(before);
        }
        awaitThreads(() -> starts.started() > started || starts.lastRefusal() != earlierRefusal, mainClass);
        if (starts.started() == started) {
            Throwable refusal = starts.lastRefusal();
            throw nothingSubmitted(mainClass, refusal == earlierRefusal ? null : refusal);
        }
    }

    /** Waits until a topology is submitted, or until the program has no thread left that could submit one. */
    private void awaitThreads(BooleanSupplier submitted, String mainClass) {
        try {
            for (int polls = 0; !submitted.getAsBoolean(); polls++) {
                Optional<Thread> left = threadOfTheProgram();
                if (left.isEmpty()) {
                    return;
                }
                if (polls == QUIET_POLLS) {
                    progress.accept(mainClass + " returned without submitting a topology; waiting for its thread '"
                            + left.get().getName() + "'");
                }
                left.get().join(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Optional<Thread> threadOfTheProgram() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> JarClassLoader.among(thread.getContextClassLoader()) == loader)
                .filter(thread -> !thread.isDaemon() && thread != Thread.currentThread())
                .findAny();
    }

    /** Closes the jar. Call this after the jar's topologies have ended. Idempotent. */
    @Override
    public void close() {
        DeserializationLoader.forget(loader);
        SystemClassLoader.setProgram(null);
        properties.close();
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close " + jar, e);
        } finally {
            copies.close();
        }
    }

    private static void checkJar(Path jar) throws JarRunException {
        if (!Files.exists(jar)) {
            throw new JarRunException(Kind.NO_SUCH_JAR, jar + ": no such file", null);
        }
        if (Files.isDirectory(jar)) {
            throw new JarRunException(Kind.NOT_A_JAR, jar + ": is a directory, not a jar", null);
        }
        try (JarFile readable = new JarFile(new File(jar.toString()))) {
            readable.size();
        } catch (ZipException e) {
            throw new JarRunException(Kind.NOT_A_JAR, jar + ": is not a jar (" + e.getMessage() + ")", e);
        } catch (IOException e) {
            throw new JarRunException(Kind.NO_SUCH_JAR, jar + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private Method mainOf(String mainClass) throws JarRunException {
        try {
            Method main = Class.forName(mainClass, false, loader).getMethod("main", String[].class);
            if (!Modifier.isStatic(main.getModifiers())) {
                throw new JarRunException(Kind.NO_MAIN, mainClass + ": its main method is not static", null);
            }
            return main;
        } catch (ClassNotFoundException e) {
            throw noSuchClass(mainClass, e);
        } catch (NoSuchMethodException e) {
            throw new JarRunException(Kind.NO_MAIN, mainClass + " has no 'public static void main(String[])'", e);
        } catch (LinkageError e) {
            Kind kind = LinkageMessages.of(e).isPresent() ? Kind.PROGRAM_FAILED : Kind.NO_SUCH_CLASS;
            throw new JarRunException(
                    kind, mainClass + " cannot be loaded: " + FailureMessages.oneLine(FailureMessages.meaningOf(e)), e);
        }
    }

    private JarRunException noSuchClass(String mainClass, Throwable cause) {
        if (jar == null) {
            return new JarRunException(Kind.NO_SUCH_CLASS, "there is no class " + mainClass, cause);
        }
        List<String> near = JarClasses.near(jar, mainClass);
        String hint = near.isEmpty() ? "" : "; did you mean " + String.join(" or ", near) + "?";
        return new JarRunException(
                Kind.NO_SUCH_CLASS, "there is no class " + mainClass + " in " + jar.getFileName() + hint, cause);
    }

    private static JarRunException failed(String mainClass, Throwable thrown) {
        if (thrown instanceof ProgramInputException bad) {
            return new JarRunException(Kind.BAD_INPUT, bad.getMessage(), bad);
        }
        InvalidTopologyException refusal = FailureMessages.find(thrown, InvalidTopologyException.class);
        if (refusal != null) {
            return new JarRunException(Kind.TOPOLOGY_REFUSED, OneLine.first(refusal.get_msg()), refusal);
        }
        if (thrown instanceof StackOverflowError && isAboutConfiguration(thrown)) {
            return new JarRunException(
                    Kind.TOPOLOGY_REFUSED, mainClass + " submits a configuration that contains itself", thrown);
        }
        return new JarRunException(
                Kind.PROGRAM_FAILED,
                mainClass + " failed: " + FailureMessages.oneLine(FailureMessages.meaningOf(thrown)),
                thrown);
    }

    /**
     * Returns whether Storm's client overflowed the stack: it checks that a configuration can be written as JSON by unbounded
     * recursion.
     */
    private static boolean isAboutConfiguration(Throwable overflow) {
        return Stream.of(overflow.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Utils.class.getName())
                        && frame.getMethodName().startsWith("normalizeConf"));
    }

    private static JarRunException nothingSubmitted(String mainClass, Throwable refusal) {
        if (refusal != null) {
            return new JarRunException(Kind.TOPOLOGY_REFUSED, OneLine.first(refusal.getMessage()), refusal);
        }
        return new JarRunException(
                Kind.NOTHING_SUBMITTED,
                mainClass + " returned without submitting a topology; does it need arguments?",
                null);
    }

    /** Suggests names of classes in a jar for a mistyped class name. */
    private static final class JarClasses {
        private static final int MAX_SUGGESTIONS = 3;
        private static final String SUFFIX = ".class";

        private JarClasses() {}

        /**
         * Returns up to three names that are similar to a missing one, the most similar first; none if the jar cannot be read.
         */
        public static List<String> near(Path jar, String wanted) {
            try (JarFile file = new JarFile(jar.toFile())) {
                return file.stream()
                        .map(entry -> entry.getName())
                        .filter(name ->
                                name.endsWith(SUFFIX) && !name.contains("-info") && !name.startsWith("META-INF/"))
                        .map(name -> name.substring(0, name.length() - SUFFIX.length())
                                .replace('/', '.'))
                        .map(name -> new Candidate(name, Spelling.edits(simple(name), simple(wanted))))
                        .filter(candidate -> isNear(candidate, wanted))
                        .sorted(Comparator.comparingInt(Candidate::distance).thenComparing(Candidate::name))
                        .limit(MAX_SUGGESTIONS)
                        .map(Candidate::name)
                        .toList();
            } catch (IOException e) {
                return List.of();
            }
        }

        /**
         * Returns whether a candidate has the same simple name in any package, or a similar simple name in the same package.
         * Ignores case.
         */
        private static boolean isNear(Candidate candidate, String wanted) {
            int limit = Math.max(1, simple(wanted).length() / 3);
            boolean samePlace = place(candidate.name).equals(place(wanted));
            return candidate.distance == 0 || samePlace && candidate.distance <= limit;
        }

        private static String simple(String name) {
            String normal = normal(name);
            return normal.substring(normal.lastIndexOf('.') + 1);
        }

        /** Returns the package, and the enclosing class of a nested class. */
        private static String place(String name) {
            String normal = normal(name);
            return normal.substring(0, normal.lastIndexOf('.') + 1);
        }

        private static String normal(String name) {
            return name.replace('/', '.').replace('$', '.').toLowerCase(Locale.ROOT);
        }

        private record Candidate(String name, int distance) {}
    }
}
