package io.updraft.stormcluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The directory of one cluster, with the layout of a Storm home.
 *
 * <pre>
 *   lib/, lib-worker/            links to the jars from the build
 *   extlib/, extlib-daemon/      plug-ins
 *   log4j2/worker.xml, cluster.xml
 *   conf/NAME.yaml               one for each daemon
 *   local/NAME/                  storm.local.dir of each daemon
 *   logs/                        of the daemons, and workers-artifacts/TOPOLOGY/PORT/ of the workers
 * </pre>
 *
 * @param root the directory
 */
record StormHome(Path root) {

    private static final List<String> LIBRARIES = List.of("lib", "lib-worker");

    static StormHome create(List<Path> plugins, List<Path> archives) {
        // The build copies the jars to a directory beside this module's classes or jar.
        Path libraries = checked(Jars.of(StormHome.class).resolveSibling("storm"));
        try {
            StormHome home = new StormHome(Files.createTempDirectory("storm-cluster-"));
            for (String directory : List.of("bin", "extlib", "extlib-daemon", "log4j2", "conf", "local", "logs")) {
                Files.createDirectory(home.root.resolve(directory));
            }
            home.linkLibraries(libraries);
            home.copyFiles();
            home.install(plugins);
            archives.forEach(home::unpack);
            return home;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a Storm home", e);
        }
    }

    private static Path checked(Path libraries) {
        for (String library : LIBRARIES) {
            if (!Files.isDirectory(libraries.resolve(library))) {
                throw new IllegalStateException("Storm's jars are missing in " + libraries.resolve(library)
                        + ": build the module storm-cluster-fixture with Maven");
            }
        }
        return libraries;
    }

    private void linkLibraries(Path libraries) throws IOException {
        for (String library : LIBRARIES) {
            Files.createSymbolicLink(root.resolve(library), libraries.resolve(library));
        }
    }

    private void copyFiles() throws IOException {
        copy("worker.xml", "log4j2");
        copy("cluster.xml", "log4j2");
        copy("flight.bash", "bin").toFile().setExecutable(true);
    }

    private Path copy(String file, String directory) throws IOException {
        Path copy = root.resolve(directory).resolve(file);
        try (InputStream in = StormHome.class.getResourceAsStream(file)) {
            Files.copy(in, copy);
        }
        return copy;
    }

    private void install(List<Path> plugins) throws IOException {
        int number = 0;
        for (Path plugin : plugins) {
            if (Files.isDirectory(plugin)) {
                Jars.pack(plugin, extlib().resolve("plugin-" + number++ + ".jar"));
            } else {
                Files.copy(plugin, extlib().resolve(plugin.getFileName()));
            }
        }
    }

    /** Unpacks an archive into Storm's home, as an operator does. */
    private void unpack(Path archive) {
        try {
            Process tar = new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", root.toString())
                    .redirectErrorStream(true)
                    .start();
            String said = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (tar.waitFor() != 0) {
                throw new IllegalStateException("cannot unpack " + archive + ": " + said.strip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + archive, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while unpacking " + archive, e);
        }
    }

    /** Returns an empty jar: Storm requires one for a topology, even if its classes are elsewhere. */
    Path emptyJar() {
        return Jars.pack(root.resolve("extlib-daemon"), root.resolve("empty.jar"));
    }

    Path extlib() {
        return root.resolve("extlib");
    }

    Path logs() {
        return root.resolve("logs");
    }

    Path localDirectory(String daemon) {
        return root.resolve("local").resolve(daemon);
    }

    /** Writes the configuration of a daemon or client. */
    Path configure(String daemon, Map<String, Object> conf) {
        return write("conf/" + daemon + ".yaml", Yaml.of(conf));
    }

    Path write(String file, String text) {
        try {
            return Files.writeString(root.resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file, e);
        }
    }

    String daemonClassPath() {
        return root + "/lib/*:" + root + "/extlib/*:" + root + "/extlib-daemon/*:" + root + "/conf";
    }

    String clientClassPath(Path jar) {
        return root + "/lib-worker/*:" + root + "/extlib/*:" + jar + ":" + root + "/conf";
    }
}
