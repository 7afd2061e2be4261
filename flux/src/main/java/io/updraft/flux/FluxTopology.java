package io.updraft.flux;

import io.updraft.storm.ProgramInputException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.storm.generated.StormTopology;

/**
 * A topology read from a description in Flux's format.
 *
 * <p>Where this differs from Flux:
 * <ul>
 *   <li>every mistake that can be seen without classes is named at once, with its line; keys that do not exist are mistakes;
 *   <li>more than one variable in a line is replaced;
 *   <li>a file that is included is also looked for beside the one that includes it, and its worker hooks count;
 *   <li>of several constructors or methods that fit the nearest is called, not just any;
 *   <li>an {@code IStatefulWindowedBolt} has its state.
 * </ul>
 *
 * @param name the topology's name
 * @param config its settings
 * @param topology the topology
 * @param warnings what is strange in the description; one line each
 */
public record FluxTopology(String name, Map<String, Object> config, StormTopology topology, List<String> warnings) {

    /**
     * Reads a description and makes the topology.
     *
     * @param description the file, or the resource's name
     * @param resource whether it is a resource of the class path
     * @param properties what variables stand for
     * @param environment whether <code>${ENV-NAME}</code> stands for the environment's values
     * @param loader finds classes and resources
     * @return the topology
     * @throws ProgramInputException when it cannot be read or made; the message has a line for each mistake
     */
    public static FluxTopology read(
            String description, boolean resource, Properties properties, boolean environment, ClassLoader loader) {
        Reading reading = new Reading(new Substitution(properties, System.getenv(), environment), loader);
        TopologySpec spec = reading.whole(description, resource);
        StormTopology topology = new Assembler(spec, reading.mistakes, loader).assemble();
        return new FluxTopology(
                spec.name, new LinkedHashMap<>(spec.config), topology, List.copyOf(reading.mistakes.warnings()));
    }

    /** The files of one description. */
    private static final class Reading {
        private final Substitution substitution;
        private final ClassLoader loader;
        private final Mistakes mistakes = new Mistakes();

        private Reading(Substitution substitution, ClassLoader loader) {
            this.substitution = substitution;
            this.loader = loader;
        }

        private TopologySpec whole(String description, boolean resource) {
            TopologySpec spec = one(description, resource ? resourceText(description) : text(Path.of(description)));
            for (IncludeSpec include : spec.includes) {
                TopologySpec included = one(
                        include.file(), include.resource() ? resourceText(include.file()) : included(spec, include));
                spec.include(included, include.override(), mistakes);
            }
            return spec;
        }

        private TopologySpec one(String name, String text) {
            return FluxReader.read(name, substitution.apply(name, text, mistakes), mistakes);
        }

        private String included(TopologySpec by, IncludeSpec include) {
            Path file = Path.of(include.file());
            Path beside = Path.of(by.where.file()).resolveSibling(file);
            return text(Files.exists(file) || !Files.exists(beside) ? file : beside);
        }

        private String resourceText(String name) {
            String plain = name.startsWith("/") ? name.substring(1) : name;
            try (InputStream in = loader.getResourceAsStream(plain)) {
                if (in == null) {
                    throw new ProgramInputException(name + ": there is no such resource in the jar");
                }
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new ProgramInputException(name + ": cannot be read: " + e.getMessage(), e);
            }
        }

        private static String text(Path file) {
            if (!Files.isRegularFile(file)) {
                throw new ProgramInputException(file + (Files.isDirectory(file) ? ": is a directory" : ": no such file")
                        + " (the current directory is " + Path.of("").toAbsolutePath() + ")");
            }
            try {
                return Files.readString(file);
            } catch (MalformedInputException e) {
                throw new ProgramInputException(file + ": is not UTF-8 text", e);
            } catch (IOException e) {
                throw new ProgramInputException(file + ": cannot be read: " + e.getMessage(), e);
            }
        }
    }
}
