package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lists the files of a source, each once: a file with several names (links, or paths that lead to one directory) is listed
 * under one of them. Not thread-safe.
 */
final class FileListing {

    private static final Logger LOG = LoggerFactory.getLogger(FileListing.class);

    private final SourceSpec.Files spec;
    private final FileTroubles troubles;
    /** The files that each path of the description matched last. */
    private final Map<String, Collection<Path>> lastFound = new HashMap<>();

    private Map<Path, String> lastKeys = new HashMap<>();

    /** The other names of files, each with the key of its file. */
    private Map<Path, String> links = new HashMap<>();

    /** What cannot be read below the paths of the description, by the last scan. */
    private Set<Path> unreadable = new HashSet<>();

    private final Set<Path> loops = new HashSet<>();

    FileListing(SourceSpec.Files spec, FileTroubles troubles) {
        this.spec = spec;
        this.troubles = troubles;
    }

    /** Lists the files at the start, so that mistakes are reported at once. */
    Map<String, Path> first() throws SourceException {
        Set<Path> found = new LinkedHashSet<>();
        ListingProblems problems = new ListingProblems(!spec.follow());
        for (String path : spec.paths()) {
            Collection<Path> files = FileFinder.find(path, problems);
            lastFound.put(path, files);
            found.addAll(files);
        }
        try {
            return listed(found, key -> null, problems);
        } catch (IOException e) {
            throw new SourceException(FileFinder.reason(e), e);
        }
    }

    /** Lists the files by key. A file keeps the name that {@code names} returns for its key, as long as it has this name. */
    Map<String, Path> again(Function<String, Path> names) throws IOException {
        ListingProblems problems = new ListingProblems(false);
        return listed(found(problems), names, problems);
    }

    private Map<String, Path> listed(Set<Path> found, Function<String, Path> names, ListingProblems problems)
            throws IOException {
        Map<String, Path> files = new LinkedHashMap<>();
        Map<Path, String> others = new HashMap<>();
        Map<Path, String> keys = new HashMap<>();
        for (Path path : found) {
            String key = key(path, problems);
            if (key != null) {
                keys.put(path, key);
                add(path, key, files, others, names);
            }
        }
        lastKeys = keys;
        links = others;
        unreadable.stream().filter(path -> !problems.paths.contains(path)).forEach(this::over);
        unreadable = problems.paths;
        return files;
    }

    private void over(Path path) {
        if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
            troubles.gone(path);
        } else {
            troubles.over(path);
        }
    }

    /** Returns the key of a file, or the last one if it cannot be read for a while; null if there is none. */
    private String key(Path path, ListingProblems problems) throws IOException {
        try {
            return FileIdentity.key(path);
        } catch (NoSuchFileException e) {
            LOG.debug("{} disappeared during the scan", path, e);
            return null;
        } catch (IOException e) {
            if (!problems.cover(path)) {
                problems.unreadable(path, e);
            }
            return lastKeys.get(path);
        }
    }

    /** Collects what cannot be read, or throws. */
    private final class ListingProblems implements FileFinder.Problems {

        private final Set<Path> paths = new HashSet<>();
        private final boolean strict;

        ListingProblems(boolean strict) {
            this.strict = strict;
        }

        @Override
        public void unreadable(Path path, IOException reason) throws IOException {
            if (strict) {
                throw FileFinder.named(spec.paths(), path, reason);
            }
            paths.add(path);
            troubles.waitFor(path, path, reason);
        }

        @Override
        public void loop(Path link) {
            if (loops.add(link)) {
                LOG.warn("{} is skipped: it is a symbolic link to a directory above it", link);
            }
        }

        boolean cover(Path path) {
            return !paths.isEmpty()
                    && Stream.iterate(path, Objects::nonNull, Path::getParent).anyMatch(paths::contains);
        }
    }

    private void add(
            Path path, String key, Map<String, Path> files, Map<Path, String> others, Function<String, Path> names) {
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
    private static Path name(Path first, Path second, Path current) {
        if (second.equals(current) || first.equals(current)) {
            return current;
        }
        return isLink(first) && !isLink(second) ? second : first;
    }

    private static boolean isLink(Path path) {
        try {
            return !path.toRealPath().equals(path.toAbsolutePath().normalize());
        } catch (IOException e) {
            LOG.debug("{} cannot be resolved", path, e);
            return true;
        }
    }

    // What cannot be listed for a while keeps its files: nothing says that they are gone.
    private Set<Path> found(ListingProblems problems) {
        Set<Path> found = new LinkedHashSet<>();
        for (String path : spec.paths()) {
            found.addAll(found(path, problems));
        }
        return found;
    }

    private Collection<Path> found(String path, ListingProblems problems) {
        Path place = Path.of(path);
        Collection<Path> last = lastFound.getOrDefault(path, List.of());
        try {
            if (!FileFinder.isPattern(path) && Files.notExists(place)) {
                troubles.waitFor(path, place, new NoSuchFileException(path));
                lastFound.remove(path);
                return List.of();
            }
            if (!FileFinder.isPattern(path)) {
                // Throws the reason why nothing is known of the path.
                Files.readAttributes(place, BasicFileAttributes.class);
            }
            Set<Path> files = new LinkedHashSet<>(FileFinder.find(path, problems));
            if (!problems.paths.isEmpty()) {
                last.stream().filter(problems::cover).forEach(files::add);
            }
            troubles.over(path);
            lastFound.put(path, files);
            return files;
        } catch (IOException | SourceException e) {
            Throwable cause = e.getCause() instanceof Exception ? e.getCause() : e;
            troubles.waitFor(path, place, (Exception) cause);
            return last;
        }
    }
}
