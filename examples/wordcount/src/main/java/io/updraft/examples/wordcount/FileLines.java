package io.updraft.examples.wordcount;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;

/** The lines of several inputs, one input after the other, always in the same order. */
final class FileLines implements LineSource {
    private final Iterator<String> inputs;
    private ByteLineReader current;
    private boolean exhausted;

    FileLines(List<String> inputs) {
        this.inputs = inputs.iterator();
    }

    @Override
    public String poll() throws IOException {
        while (current != null || inputs.hasNext()) {
            if (current == null) {
                current = new ByteLineReader(open(inputs.next()));
            }
            String line = current.next();
            if (line != null) {
                return line;
            }
            close();
        }
        exhausted = true;
        return null;
    }

    private static InputStream open(String input) throws IOException {
        if (!input.equals(InputFiles.SHIPPED)) {
            return Files.newInputStream(Path.of(input));
        }
        InputStream shipped = FileLines.class.getResourceAsStream(InputFiles.SHIPPED_RESOURCE);
        if (shipped == null) {
            throw new FileNotFoundException("the shipped text " + InputFiles.SHIPPED_RESOURCE + " is not in the jar");
        }
        return shipped;
    }

    @Override
    public boolean exhausted() {
        return exhausted;
    }

    @Override
    public void close() throws IOException {
        if (current != null) {
            current.close();
            current = null;
        }
    }
}
