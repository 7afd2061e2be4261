package io.updraft.examples.wordcount;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Turns the input arguments into a list of files to read, always in the same order. */
final class InputFiles {
    /** Means standard input. */
    static final String STANDARD_INPUT = "-";

    /** Means the text in the jar. No file can have this name. */
    static final String SHIPPED = "\0shipped";

    static final String SHIPPED_RESOURCE = "/opticks.txt";

    private InputFiles() {}

    /**
     * Returns the files that the arguments name.
     *
     * @param named files and directories, or only {@code -}; empty for the text in the jar
     * @param own the result's file, which is never an input
     * @throws IOException when an input cannot be read; the message is for the user
     */
    static List<String> resolve(List<String> named, Path own) throws IOException {
        if (named.isEmpty()) {
            return List.of(SHIPPED);
        }
        if (named.contains(STANDARD_INPUT)) {
            if (named.size() > 1) {
                throw new IOException("'-' (standard input) must be the only input");
            }
            return named;
        }
        List<String> inputs = new ArrayList<>();
        for (String name : named) {
            addFiles(name, own.toAbsolutePath().normalize(), inputs);
        }
        return inputs;
    }

    private static void addFiles(String name, Path own, List<String> inputs) throws IOException {
        Path root = Path.of(name).toAbsolutePath().normalize();
        if (!Files.exists(root)) {
            throw new IOException("no such file or directory: " + root);
        }
        if (!Files.isDirectory(root)) {
            addFile(root, own, inputs);
            return;
        }
        // Follows a link that is an argument, but no link below it, like find.
        try (Stream<Path> tree = Files.walk(root.toRealPath())) {
            for (Path path : (Iterable<Path>) tree.sorted()::iterator) {
                if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    addFile(path, own, inputs);
                }
            }
        } catch (UncheckedIOException e) {
            throw new IOException("cannot list " + e.getCause().getMessage(), e);
        }
    }

    private static void addFile(Path file, Path own, List<String> inputs) throws IOException {
        if (!Files.isReadable(file)) {
            throw new IOException("cannot read " + file + ": permission denied");
        }
        if (!file.equals(own)) {
            inputs.add(file.toString());
        }
    }

    /** {@return the inputs of one reader: every {@code readers}-th} */
    static List<String> share(List<String> inputs, int reader, int readers) {
        List<String> share = new ArrayList<>();
        for (int i = reader; i < inputs.size(); i += readers) {
            share.add(inputs.get(i));
        }
        return share;
    }

    /** Opens the inputs of one reader. */
    static LineSource open(List<String> share) {
        return share.equals(List.of(STANDARD_INPUT)) ? new StandardInputLines(System.in) : new FileLines(share);
    }
}
