package io.updraft.cli.run;

import io.updraft.base.exit.UserError;
import io.updraft.cli.run.RunRequest.TopologyProgram;
import io.updraft.flux.Flux;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the program that the command line names. A program is a jar, whose main class the command line or the manifest names; or
 * a directory with one jar whose manifest names the main class, in the directory itself or in {@code target} of a built project;
 * or a topology in YAML, alone or with the jar of its classes.
 */
public final class ProgramFinder {
    /** The manifest attribute that names the main class; without it, {@code Main-Class} does. */
    static final String MAIN_ATTRIBUTE = "Updraft-Main";

    private static final String FLUX = Flux.class.getName();

    private final Path home;

    /** Creates a finder; the home is for relative names that do not exist in the current directory. */
    public ProgramFinder(Path home) {
        this.home = home;
    }

    /**
     * Finds a program.
     *
     * @param name a jar, a project's directory, or a description (.yaml, .yml, .flux)
     * @param words the words after the name: for a jar the main class or a description, then the arguments; else the arguments
     * @return the program; its main class may not exist
     * @throws UserError when there is no such program
     */
    public TopologyProgram find(String name, List<String> words) {
        Path path = locate(name);
        if (isDescription(name)) {
            return new TopologyProgram(Optional.empty(), FLUX, arguments(path.toString(), words));
        }
        if (Files.isDirectory(path)) {
            Path built = path.resolve("target");
            Path jar = jarOf(name, Files.isDirectory(built) ? built : path);
            return new TopologyProgram(Optional.of(jar), mainOf(jar).orElseThrow(), words);
        }
        if (!words.isEmpty() && isDescription(words.get(0))) {
            return new TopologyProgram(Optional.of(path), FLUX, words);
        }
        if (!words.isEmpty()) {
            return new TopologyProgram(Optional.of(path), words.get(0), words.subList(1, words.size()));
        }
        if (!Files.exists(path)) {
            throw new UserError(name + ": no such file; name a jar or the directory of a built project", null);
        }
        String main = mainOf(path)
                .orElseThrow(() -> new UserError(
                        name + ": which class? Name the main class: updraft run " + name + " com.acme.Main", null));
        return new TopologyProgram(Optional.of(path), main, List.of());
    }

    private static boolean isDescription(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".flux");
    }

    private static List<String> arguments(String first, List<String> further) {
        return Stream.concat(Stream.of(first), further.stream()).toList();
    }

    private Path locate(String name) {
        Path path = Path.of(name);
        return Files.exists(path) || !Files.exists(home.resolve(name)) ? path : home.resolve(name);
    }

    private static Path jarOf(String name, Path directory) {
        List<Path> programs =
                jars(directory).stream().filter(jar -> mainOf(jar).isPresent()).toList();
        if (programs.stream().map(ProgramFinder::mainOf).distinct().count() == 1) {
            // Several versions of one program: a build leaves the jar of an earlier version.
            return programs.stream()
                    .max(Comparator.comparingLong(jar -> jar.toFile().lastModified()))
                    .orElseThrow();
        }
        if (programs.isEmpty()) {
            throw new UserError(
                    name + ": there is no jar in " + directory + " whose manifest names a " + MAIN_ATTRIBUTE
                            + " or Main-Class; build the project, or name its jar and class",
                    null);
        }
        throw new UserError(
                name + ": several jars in " + directory + " are programs ("
                        + programs.stream()
                                .map(jar -> jar.getFileName().toString())
                                .collect(Collectors.joining(", "))
                        + "); name one of them and its class",
                null);
    }

    private static List<Path> jars(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> isProgram(file.getFileName().toString()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UserError(directory + ": cannot be listed: " + e.getMessage(), e);
        }
    }

    // Leaves out other jars that a Maven build makes beside the program's jar.
    private static boolean isProgram(String file) {
        return file.endsWith(".jar")
                && !file.startsWith("original-")
                && !file.matches(".*-(sources|test-sources|javadoc|tests)\\.jar");
    }

    private static Optional<String> mainOf(Path jar) {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = file.getManifest();
            if (manifest == null) {
                return Optional.empty();
            }
            Attributes attributes = manifest.getMainAttributes();
            String main = attributes.getValue(MAIN_ATTRIBUTE);
            return Optional.ofNullable(main != null ? main : attributes.getValue(Attributes.Name.MAIN_CLASS))
                    .map(String::strip);
        } catch (IOException e) {
            throw new UserError(jar + ": is not a jar that can be read (" + e.getMessage() + ")", e);
        }
    }
}
