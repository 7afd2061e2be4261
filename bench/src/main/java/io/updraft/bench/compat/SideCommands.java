package io.updraft.bench.compat;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Builds the command lines of both sides. Storm's is that of {@code storm local}, with the program on the class path; Updraft's
 * is {@code updraft run} with the program's jar. Both log to standard output in the same format.
 *
 * @param java the {@code java} executable
 * @param jar the programs' jar, with their libraries
 * @param storm Storm's class path
 * @param updraft Updraft's class path
 * @param logging the log4j2 configuration of both sides
 */
record SideCommands(Path java, Path jar, String storm, String updraft, Path logging) {
    private static final String HEAP = "-Xmx1g";

    /** Speed is not compared, so the JVMs spend little time on compilation. */
    private static final List<String> CHEAP = List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Kryo accesses the JDK's types by reflection when a program registers no serializers for them. */
    private static final List<String> OPENED = Stream.of(
                    "java.lang",
                    "java.lang.invoke",
                    "java.nio",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.concurrent.atomic",
                    "java.math",
                    "java.time",
                    "sun.nio.ch",
                    "jdk.internal.misc")
            .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
            .toList();

    /**
     * Counts every tuple instead of one in twenty, so that rare emits are seen, and reports every 2 s instead of once a minute.
     */
    private static final String COUNT_ALL = "topology.stats.sample.rate=1.0,executor.metrics.frequency.secs=2";

    static SideCommands of(Path javaHome, Path jar, String storm, Path directory) throws IOException {
        Path logging = directory.resolve("log4j2.xml").toAbsolutePath();
        try (InputStream own = SideCommands.class.getResourceAsStream("log4j2.xml")) {
            Files.write(logging, own.readAllBytes());
        }
        return new SideCommands(
                javaHome.resolve("bin").resolve("java"),
                jar.toAbsolutePath(),
                storm,
                System.getProperty("java.class.path"),
                logging);
    }

    /** ZooKeeper runs in the same JVM as Storm, and answers late on a busy machine. */
    private static final String PATIENT =
            "storm.zookeeper.session.timeout=60000,storm.zookeeper.connection.timeout=60000";

    List<String> onStorm(ComparedProgram program, ProgramRun trial) {
        List<String> command = jvm(trial);
        command.addAll(List.of(
                "-Dstorm.local.sleeptime=86400",
                "-Dstorm.jar=" + jar,
                "-Dstorm.options=" + options(program),
                "-cp",
                storm + File.pathSeparator + jar,
                "org.apache.storm.LocalCluster",
                program.main()));
        command.addAll(program.args());
        return command;
    }

    List<String> onUpdraft(ComparedProgram program, ProgramRun trial) {
        List<String> command = jvm(trial);
        command.addAll(List.of(
                "-Xshare:off",
                "-Djava.system.class.loader=io.updraft.storm.launch.SystemClassLoader",
                "-Dupdraft.state=" + trial.probed().getParent(),
                "-cp",
                updraft,
                "io.updraft.cli.Main",
                "run",
                "--stacktrace"));
        program.conf().forEach((key, value) -> command.addAll(List.of("-c", key + "=" + value)));
        command.addAll(List.of(jar.toString(), program.main()));
        command.addAll(program.args());
        return command;
    }

    private static String options(ComparedProgram program) {
        StringBuilder options = new StringBuilder(COUNT_ALL).append(',').append(PATIENT);
        program.conf()
                .forEach((key, value) ->
                        options.append(',').append(key).append('=').append(value));
        return options.toString();
    }

    private List<String> jvm(ProgramRun trial) {
        List<String> command = new ArrayList<>(List.of(java.toString(), HEAP));
        command.addAll(CHEAP);
        command.addAll(OPENED);
        command.add("-javaagent:" + agent() + "=" + trial.probed());
        command.add("-Dlog4j2.configurationFile=" + logging.toUri());
        return command;
    }

    /** {@return the jar of {@link Probe}, whose manifest declares the agent} */
    private static Path agent() {
        try {
            return Path.of(Probe.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
