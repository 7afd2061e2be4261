package io.updraft.transport.ucx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file from which jucx loads its native library: half a megabyte in its own folder in the temporary directory. jucx deletes
 * it when the JVM exits, so a killed JVM leaves it behind. Once the library is loaded, the file is not needed.
 */
final class ExtractedLibrary {

    private static final Logger LOG = LoggerFactory.getLogger(ExtractedLibrary.class);

    /** The list of the files that this process has mapped. Linux appends a word to the name of a deleted file. */
    private static final Path MAPS = Path.of("/proc/self/maps");

    private static final Pattern LIBRARY = Pattern.compile("(/.*/jucx\\d+)/libjucx\\w*\\.so$");

    private ExtractedLibrary() {}

    /** Deletes the file, if this process has loaded it. */
    static void delete() {
        try (Stream<String> maps = Files.lines(MAPS)) {
            List<Matcher> found =
                    maps.map(LIBRARY::matcher).filter(Matcher::find).toList();
            for (Matcher library : found) {
                Files.deleteIfExists(Path.of(library.group()));
                Files.deleteIfExists(Path.of(library.group(1)));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("cannot delete the UCX library file; it stays until this process exits", e);
        }
    }
}
