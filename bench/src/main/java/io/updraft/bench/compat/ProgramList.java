package io.updraft.bench.compat;

import io.updraft.base.text.OneLine;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.apache.storm.shade.org.yaml.snakeyaml.error.MarkedYAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.error.YAMLException;
import org.apache.storm.shade.org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads a list of programs from a YAML file: a list of maps with the keys of {@link ComparedProgram}. */
final class ProgramList {
    private static final List<String> KEYS = Stream.of(ComparedProgram.class.getRecordComponents())
            .map(RecordComponent::getName)
            .toList();

    /** A placeholder in arguments, settings and commands; replaced by the directory of the files that programs read. */
    private static final String FILES = "${files}";

    private ProgramList() {}

    /**
     * Reads a file.
     *
     * @param files the directory of the files that programs read
     * @throws IllegalArgumentException when the file is not such a list; the one-line message names the file and line
     */
    static List<ComparedProgram> read(Path file, Path files) {
        Set<String> names = new HashSet<>();
        List<ComparedProgram> programs = new ArrayList<>();
        for (YamlEntry entry : entries(file)) {
            ComparedProgram program = program(entry, files.toAbsolutePath().toString());
            if (!names.add(program.name())) {
                throw entry.wrong("name", "there is another program '" + program.name() + "'; set a different 'name'");
            }
            programs.add(program);
        }
        return programs;
    }

    private static List<YamlEntry> entries(Path file) {
        try {
            String text = Files.readString(file);
            Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
            if (!(yaml.load(text) instanceof List<?> values)
                    || !(yaml.compose(new StringReader(text)) instanceof SequenceNode list)) {
                throw new IllegalArgumentException(file + ":1: expected a list of programs");
            }
            List<YamlEntry> entries = new ArrayList<>();
            for (int i = 0; i < values.size(); i++) {
                entries.add(new YamlEntry(file, list.getValue().get(i), values.get(i)));
            }
            return entries;
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new IllegalArgumentException(file + ":" + line + ": " + e.getProblem(), e);
        } catch (IOException | YAMLException e) {
            String why = OneLine.first(e.toString());
            throw new IllegalArgumentException(file + ": cannot be read: " + why, e);
        }
    }

    private static ComparedProgram program(YamlEntry entry, String files) {
        entry.knowsOnly(KEYS);
        String main = entry.text("main", "");
        if (main.isEmpty()) {
            throw entry.wrong("main", "expected a map with 'main: <class>' and optional keys");
        }
        Map<String, String> conf = new LinkedHashMap<>(entry.map("conf"));
        conf.replaceAll((name, setting) -> setting.replace(FILES, files));
        return new ComparedProgram(
                entry.text("name", main.substring(main.lastIndexOf('.') + 1)),
                main,
                withFiles(entry.texts("args"), files),
                conf,
                entry.patterns("same"),
                entry.patterns("both"),
                entry.text("without", ""),
                entry.count("seconds"),
                entry.flag("alone"),
                withFiles(entry.texts("before"), files),
                entry.flag("overload"),
                entry.text("note", ""));
    }

    private static List<String> withFiles(List<String> texts, String files) {
        return texts.stream().map(text -> text.replace(FILES, files)).toList();
    }
}
