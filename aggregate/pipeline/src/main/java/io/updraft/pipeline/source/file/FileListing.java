package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the files of a source, each once: a file with several names (links, or paths that lead to one directory) is listed
 * under one of them. One thread.
 */
final class FileListing {

    private static final Logger LOG = LoggerFactory.getLogger(FileListing.class);

    private final SourceSpec.Files spec;
    private final FileTroubles troubles;
    /** The files that each path of the description matched last. */
    private final Map<String, List<Path>> lastFound = new HashMap<>();

    /** The other names of files, each with the key of its file. */
    private Map<Path, String> links = new HashMap<>();

    FileListing(SourceSpec.Files spec, FileTroubles troubles) {
        this.spec = spec;
        this.troubles = troubles;
    }

    /** Lists the files at the start, so that mistakes are reported at once. */
    Map<String, Path> first() throws SourceException {
        Map<String, Path> files = new LinkedHashMap<>();
        Map<Path, String> others = new HashMap<>();
        for (Path path : FileFinder.find(spec.paths())) {
            try {
                add(path, files, others, key -> null);
            } catch (IOException e) {
                throw new SourceException(path + ": " + FileFinder.reason(e), e);
            }
        }
        links = others;
        return files;
    }

    /** Lists the files by key. A file keeps the name that {@code names} returns for its key, as long as it has this name. */
    Map<String, Path> again(Function<String, Path> names) {
        Map<String, Path> files = new LinkedHashMap<>();
        Map<Path, String> others = new HashMap<>();
        for (Path path : found()) {
            try {
                add(path, files, others, names);
            } catch (IOException e) {
                LOG.debug("{} disappeared during the scan", path, e);
            }
        }
        links = others;
        return files;
    }

    private void add(Path path, Map<String, Path> files, Map<Path, String> others, Function<String, Path> names)
            throws IOException {
        String key = FileIdentity.key(path);
        Path other = files.putIfAbsent(key, path);
        if (other == null || other.equals(path)) {
            return;
        }
        Path name = name(other, path, names.apply(key));
        Path link = name.equals(path) ? other : path;
        files.put(key, name);
        others.put(link, key);
        if (!Objects.equals(links.get(link), key)) {
            LOG.info("{} is the same file as {}: reading it once, as {}", link, name, name);
        }
    }

    // A file keeps its name; a new one is named without links, so that a link may be moved to another file.
    private static Path name(Path first, Path second, Path current) throws IOException {
        if (second.equals(current) || first.equals(current)) {
            return current;
        }
        return isLink(first) && !isLink(second) ? second : first;
    }

    private static boolean isLink(Path path) throws IOException {
        return !path.toRealPath().equals(path.toAbsolutePath().normalize());
    }

    // A path that cannot be listed for a while keeps its files: nothing says that they are gone.
    private Set<Path> found() {
        Set<Path> found = new LinkedHashSet<>();
        for (String path : spec.paths()) {
            found.addAll(found(path));
        }
        return found;
    }

    private List<Path> found(String path) {
        Path place = Path.of(path);
        try {
            List<Path> files = List.of();
            if (FileFinder.isPattern(path) || Files.exists(place)) {
                files = FileFinder.find(List.of(path));
            } else if (Files.notExists(place)) {
                troubles.waitFor(place, new NoSuchFileException(path));
                lastFound.remove(path);
                return files;
            } else {
                // Throws the reason why nothing is known of the path.
                Files.readAttributes(place, BasicFileAttributes.class);
            }
            troubles.over(place);
            lastFound.put(path, files);
            return files;
        } catch (IOException | SourceException e) {
            Throwable cause = e.getCause() instanceof Exception ? e.getCause() : e;
            troubles.waitFor(place, (Exception) cause);
            return lastFound.getOrDefault(path, List.of());
        }
    }
}
