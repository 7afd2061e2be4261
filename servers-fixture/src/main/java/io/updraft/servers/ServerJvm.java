package io.updraft.servers;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the command of a JVM with the servers' jars, which are not on the class path of tests, and the classes of this module.
 */
final class ServerJvm {

    /** The compiler with the shortest warm-up, few threads, and no verification of Kafka's classes. */
    static final List<String> LEAN = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote",
            "-Xmx384m");

    private ServerJvm() {}

    static List<String> command(List<String> options, String main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-Dlog4j2.configurationFile=classpath:io/updraft/servers/server-log.xml");
        command.addAll(List.of("-cp", classes() + ":" + libraries() + "/*", main));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Returns the directory of the servers' jars: the build copies them beside this module's classes or jar. */
    private static Path libraries() {
        Path libraries = classes().resolveSibling("servers").resolve("lib");
        if (!Files.isDirectory(libraries)) {
            throw new ServerException(
                    "the servers' jars are missing in " + libraries + ": build the module servers-fixture with Maven");
        }
        return libraries;
    }

    private static Path classes() {
        try {
            return Path.of(ServerJvm.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new ServerException("cannot determine the location of the classes", e);
        }
    }
}
