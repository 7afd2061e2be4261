package io.updraft.storm;

import io.updraft.storm.JarRunException.Kind;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.zip.ZipException;
import org.apache.storm.generated.InvalidTopologyException;

/**
 * Runs the {@code main} of a program in a jar, as {@code storm jar} does, in this process. The program finds Storm's API
 * and this engine; its other classes are its own.
 *
 * <p>The jar stays open until {@link #close()}: topologies go on loading classes after {@code main} has returned. One
 * runner at a time, for it speaks to the program through process-wide state: the system property {@code storm.jar} and
 * Storm's loader for serialized objects.
 */
public final class JarRunner implements AutoCloseable {
    private final Path jar;
    private final JarClassLoader loader;
    private final SystemProperties properties = new SystemProperties();

    private JarRunner(Path jar, JarClassLoader loader) {
        this.jar = jar;
        this.loader = loader;
    }

    /**
     * Opens a jar.
     *
     * @param jar the file
     * @return the runner of its programs
     * @throws JarRunException when there is no such file or it is not a jar
     */
    public static JarRunner open(Path jar) throws JarRunException {
        checkJar(jar);
        try {
            Path absolute = jar.toAbsolutePath();
            JarClassLoader loader =
                    new JarClassLoader(new URL[] {absolute.toUri().toURL()}, JarRunner.class.getClassLoader());
            JarRunner runner = new JarRunner(absolute, loader);
            runner.properties.set("storm.jar", absolute.toString());
            ProgramLoaders.use(loader);
            return runner;
        } catch (MalformedURLException e) {
            throw new JarRunException(Kind.NO_SUCH_JAR, jar + ": is no name of a file", e);
        }
    }

    /**
     * Opens a program that is no jar, but on the class path of this process.
     *
     * @return the runner of its programs
     */
    public static JarRunner openClassPath() {
        JarClassLoader loader = new JarClassLoader(new URL[0], JarRunner.class.getClassLoader());
        ProgramLoaders.use(loader);
        return new JarRunner(null, loader);
    }

    /**
     * Opens the files of a program that another process has opened.
     *
     * @param files its jar and what lies behind it
     * @return the runner of its programs
     * @throws JarRunException when the jar is not there or it is not a jar
     */
    public static JarRunner open(ProgramFiles files) throws JarRunException {
        JarRunner runner = files.jar().isPresent() ? open(files.jar().get()) : openClassPath();
        for (Path file : files.others()) {
            try {
                runner.loader.add(file.toUri().toURL());
            } catch (MalformedURLException e) {
                throw new JarRunException(Kind.NO_SUCH_JAR, file + ": is no name of a file", e);
            }
        }
        return runner;
    }

    /**
     * Tells somebody when the program loads a part of Storm's server from its jar, the first time.
     *
     * @param someone takes one line, on the thread that loads the class; must not block
     */
    public void tellOfStormsServer(Consumer<String> someone) {
        loader.tell(someone);
    }

    /** {@return the loader of the program's classes} */
    public ClassLoader loader() {
        return loader;
    }

    /**
     * Runs a program on the calling thread, with the jar's loader as context class loader. Returns when {@code main} has
     * returned and has submitted at least one topology, which then runs, or has run within a cluster that it made for itself.
     *
     * @param cluster where the program's submissions go; its {@link SubmitterDoor} has to be open
     * @param mainClass the class with {@code main}
     * @param arguments the program's arguments
     * @throws JarRunException when the program could not be run or submitted nothing that runs
     */
    public void run(UpdraftCluster cluster, String mainClass, List<String> arguments) throws JarRunException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        int started = cluster.started();
        Throwable earlierRefusal = cluster.lastRefusal();
        try {
            mainOf(mainClass).invoke(null, (Object) arguments.toArray(String[]::new));
        } catch (InvocationTargetException e) {
            throw failed(mainClass, e.getCause());
        } catch (IllegalAccessException e) {
            throw new JarRunException(Kind.NO_MAIN, mainClass + " is not public, so that its main cannot be called", e);
        } finally {
            thread.setContextClassLoader(before);
        }
        if (cluster.started() == started) {
            Throwable refusal = cluster.lastRefusal();
            throw nothingSubmitted(mainClass, refusal == earlierRefusal ? null : refusal);
        }
    }

    /** Closes the jar: call it when its topologies are gone. Idempotent. */
    @Override
    public void close() {
        ProgramLoaders.forget(loader);
        properties.close();
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException("could not close " + jar, e);
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
                throw new JarRunException(Kind.NO_MAIN, mainClass + ": its main is not static", null);
            }
            return main;
        } catch (ClassNotFoundException e) {
            throw noSuchClass(mainClass, e);
        } catch (NoSuchMethodException e) {
            throw new JarRunException(Kind.NO_MAIN, mainClass + " has no 'public static void main(String[])'", e);
        } catch (LinkageError e) {
            throw new JarRunException(
                    Kind.NO_SUCH_CLASS, mainClass + " cannot be loaded: " + Failures.oneLine(Failures.meaningOf(e)), e);
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
        InvalidTopologyException refusal = Failures.find(thrown, InvalidTopologyException.class);
        if (refusal != null) {
            return new JarRunException(Kind.TOPOLOGY_REFUSED, Failures.firstLine(refusal.get_msg()), refusal);
        }
        return new JarRunException(
                Kind.PROGRAM_FAILED, mainClass + " failed: " + Failures.oneLine(Failures.meaningOf(thrown)), thrown);
    }

    private static JarRunException nothingSubmitted(String mainClass, Throwable refusal) {
        if (refusal != null) {
            return new JarRunException(Kind.TOPOLOGY_REFUSED, Failures.firstLine(refusal.getMessage()), refusal);
        }
        return new JarRunException(
                Kind.NOTHING_SUBMITTED,
                mainClass + " returned without submitting a topology; does it need arguments?",
                null);
    }
}
