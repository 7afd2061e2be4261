package io.updraft.storm.conf;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.Mark;
import org.apache.storm.shade.org.yaml.snakeyaml.error.MarkedYAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;

/** One configuration file in the form of {@code storm.yaml}, read by the parser that Storm uses. */
final class YamlFile {
    private YamlFile() {}

    /**
     * Reads a file. An empty file is an empty configuration.
     *
     * @throws ConfigException when the file cannot be read or is not a map of names to values
     */
    static Map<String, Object> read(Path file) throws ConfigException {
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            return mapOf(file, new Yaml(new SafeConstructor(new LoaderOptions())).load(in));
        } catch (MarkedYAMLException e) {
            Mark mark = e.getProblemMark();
            String at = mark == null ? "" : ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
            String context = e.getContext() == null ? "" : e.getContext() + ": ";
            throw new ConfigException(file + at + ": " + context + e.getProblem(), e);
        } catch (YAMLException e) {
            throw new ConfigException(file + ": " + firstLine(e), e);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": no such file", e);
        } catch (MalformedInputException e) {
            throw new ConfigException(file + ": is not UTF-8 text", e);
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + firstLine(e), e);
        }
    }

    private static Map<String, Object> mapOf(Path file, Object content) throws ConfigException {
        if (content == null) {
            return Map.of();
        }
        if (!(content instanceof Map<?, ?> map)) {
            throw new ConfigException(
                    file + ": expected lines of 'key: value', found "
                            + (content instanceof Iterable ? "a list" : "a single value: " + content),
                    null);
        }
        Map<String, Object> conf = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!(entry.getKey() instanceof String key)) {
                throw new ConfigException(
                        file + ": the key '" + entry.getKey() + "' is not a string; put it in quotes", null);
            }
            conf.put(key, entry.getValue());
        }
        Optional<String> cycle = ConfCycle.in(conf);
        if (cycle.isPresent()) {
            throw new ConfigException(file + ": '" + cycle.get() + "' contains itself", null);
        }
        return conf;
    }

    private static String firstLine(Exception e) {
        return String.valueOf(e.getMessage())
                .lines()
                .findFirst()
                .orElse(e.getClass().getSimpleName());
    }
}
