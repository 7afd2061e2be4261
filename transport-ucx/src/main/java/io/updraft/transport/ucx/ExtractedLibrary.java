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
 * The file from which jucx loads its native part, half a megabyte in a folder of its own among the temporary files. It is to be
 * deleted when the JVM exits, and so stays for good when that is killed. Once it is loaded nobody needs its name any more.
 */
final class ExtractedLibrary {

    private static final Logger LOG = LoggerFactory.getLogger(ExtractedLibrary.class);

    /** Where Linux tells which files a process has mapped; one that is deleted already has a word behind its name. */
    private static final Path MAPS = Path.of("/proc/self/maps");

    private static final Pattern LIBRARY = Pattern.compile("(/.*/jucx\\d+)/libjucx\\w*\\.so$");

    private ExtractedLibrary() {}

    /** Deletes it, if this process has loaded it. */
    static void delete() {
        try (Stream<String> maps = Files.lines(MAPS)) {
            List<Matcher> found =
                    maps.map(LIBRARY::matcher).filter(Matcher::find).toList();
            for (Matcher library : found) {
                Files.deleteIfExists(Path.of(library.group()));
                Files.deleteIfExists(Path.of(library.group(1)));
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.debug("the file from which UCX was loaded stays until this process exits", e);
        }
    }
}
