package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Starts the cluster's JVMs, all with the {@link Mark} of the cluster. */
record Jvm(StormHome home, String classPath, List<String> options) {

    /** The compiler with the shortest warm-up, and few threads: these processes live for a minute. */
    private static final List<String> LEAN = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");

    /** Returns a JVM with more system properties, each {@code key=value}. */
    Jvm with(String... properties) {
        List<String> more = new ArrayList<>(options);
        Arrays.stream(properties).map(property -> "-D" + property).forEach(more::add);
        return new Jvm(home, classPath, more);
    }

    /** Returns a JVM that logs to a file of the given name. */
    Jvm logging(String name) {
        return with(
                "storm.log.dir=" + home.logs(),
                "logfile.name=" + name + ".log",
                "log4j.configurationFile=" + home.root() + "/log4j2/cluster.xml");
    }

    /** Starts the JVM; its output goes to a file of the given name among the logs. */
    Process start(String name, String main, String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(Path.of(javaHome(), "bin", "java").toString()));
        command.addAll(LEAN);
        command.add("-Dstorm.home=" + home.root());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, main));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(home.logs().resolve(name + ".out").toFile());
        builder.environment().put(Mark.VARIABLE, home.root().toString());
        builder.environment().put("JAVA_HOME", javaHome());
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    static String javaHome() {
        return System.getProperty("java.home");
    }
}
