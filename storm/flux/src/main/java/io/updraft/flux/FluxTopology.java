package io.updraft.flux;

import io.updraft.flux.TopologySpec.IncludeSpec;
import io.updraft.storm.ProgramInputException;
import io.updraft.storm.yaml.Mistakes;
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
 * <p>Differences from Flux:
 * <ul>
 *   <li>all mistakes that can be found without classes are reported together, each with its line; unknown keys are mistakes;
 *   <li>several variables in one line are replaced;
 *   <li>an included file is also searched for beside the including file, and its worker hooks are used;
 *   <li>if several constructors or methods fit, the nearest is called, not an arbitrary one;
 *   <li>an {@code IStatefulWindowedBolt} has its state.
 * </ul>
 *
 * @param name the topology's name
 * @param config the topology's configuration
 * @param topology the topology
 * @param warnings the warnings about the description; one line each
 */
public record FluxTopology(String name, Map<String, Object> config, StormTopology topology, List<String> warnings) {

    /**
     * Reads a description and builds the topology.
     *
     * @param description the name of the file or the resource
     * @param resource whether the description is a resource of the class path
     * @param properties the values of variables
     * @param environment whether <code>${ENV-NAME}</code> is replaced by environment variables
     * @param loader loads classes and resources
     * @return the topology
     * @throws ProgramInputException when the description cannot be read or the topology cannot be built; the message has a line
     *     for each mistake
     */
    public static FluxTopology read(
            String description, boolean resource, Properties properties, boolean environment, ClassLoader loader) {
        Reading reading = new Reading(new VariableSubstitution(properties, System.getenv(), environment), loader);
        TopologySpec spec = reading.whole(description, resource);
        StormTopology topology = new TopologyAssembler(spec, reading.mistakes, loader).assemble();
        return new FluxTopology(
                spec.name, new LinkedHashMap<>(spec.config), topology, List.copyOf(reading.mistakes.warnings()));
    }

    private static final class Reading {
        private final VariableSubstitution substitution;
        private final ClassLoader loader;
        private final Mistakes mistakes = new Mistakes();

        private Reading(VariableSubstitution substitution, ClassLoader loader) {
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
                    throw new ProgramInputException(name + ": no such resource in the jar");
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
