package io.updraft.pipeline.source.file;

import io.updraft.pipeline.connector.SourceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Finds files by paths, directories and patterns. */
public final class FileFinder {

    private FileFinder() {}

    /**
     * Returns the files, each once: in the order of the paths that match them, and by name within one path.
     *
     * @param paths files, directories, and patterns as in the shell
     * @throws SourceException when a path neither exists nor is a pattern, or a directory cannot be listed
     */
    public static List<Path> find(List<String> paths) throws SourceException {
        Set<Path> found = new LinkedHashSet<>();
        for (String path : paths) {
            found.addAll(find(path));
        }
        return List.copyOf(found);
    }

    /**
     * Returns whether paths lead to one file, which may have several names. A followed directory or pattern may get more files.
     */
    public static boolean isOneFile(List<String> paths, boolean followed) {
        try {
            if (followed) {
                Path path = Path.of(paths.get(0));
                return paths.size() == 1
                        && !Files.isDirectory(path)
                        && (Files.exists(path) || !isPattern(paths.get(0)));
            }
            Set<String> keys = new HashSet<>();
            for (Path path : find(paths)) {
                keys.add(FileIdentity.key(path));
            }
            return keys.size() == 1;
        } catch (SourceException | IOException e) {
            return false; // the source reports it
        }
    }

    private static Collection<Path> find(String text) throws SourceException {
        Path path = Path.of(text);
        try {
            if (Files.isDirectory(path)) {
                return listed(path);
            }
            if (Files.exists(path)) {
                return List.of(regular(path));
            }
            if (isPattern(text)) {
                return matching(text);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new SourceException(text + " cannot be listed: " + reason(e), e);
        }
        throw new SourceException(text + ": no such file or directory");
    }

    // Reading the head of a pipe would take the bytes away from the source, and a device has no end.
    private static Path regular(Path path) throws SourceException {
        if (!Files.isRegularFile(path)) {
            throw new SourceException(path
                    + " is neither a file nor a directory; read a pipe as standard input: stdin, or --from -, and <"
                    + path);
        }
        return path;
    }

    /** Returns whether a path has pattern characters. */
    public static boolean isPattern(String path) {
        return path.matches(".*[*?\\[{].*");
    }

    private static TreeSet<Path> listed(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(FileFinder::isData).collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
        }
    }

    private static TreeSet<Path> matching(String pattern) throws IOException {
        Path base = base(pattern);
        if (!Files.isDirectory(base)) {
            return new TreeSet<>();
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        boolean deep = pattern.contains("**");
        int above = Path.of(pattern).startsWith(base) ? base.getNameCount() : 0;
        int depth = deep ? Integer.MAX_VALUE : Path.of(pattern).getNameCount() - above;
        try (Stream<Path> files = Files.walk(base, Math.max(1, depth), FileVisitOption.FOLLOW_LINKS)) {
            return files.filter(file ->
                            matcher.matches(file) || matcher.matches(Path.of("").resolve(unDotted(file))))
                    .filter(FileFinder::isData)
                    .map(FileFinder::unDotted)
                    .collect(TreeSet::new, TreeSet::add, TreeSet::addAll);
        }
    }

    private static Path unDotted(Path file) {
        return file.startsWith(".") && file.getNameCount() > 1 ? file.subpath(1, file.getNameCount()) : file;
    }

    // Returns the longest parent directory without pattern characters.
    private static Path base(String pattern) {
        Path whole = Path.of(pattern);
        Path base = whole.getRoot() == null ? Path.of("") : whole.getRoot();
        for (Path name : whole) {
            if (isPattern(name.toString())) {
                break;
            }
            base = base.resolve(name);
        }
        return base.toString().isEmpty() ? Path.of(".") : base;
    }

    private static boolean isData(Path file) {
        return !file.getFileName().toString().startsWith(".") && Files.isRegularFile(file);
    }

    public static String reason(Exception e) {
        Throwable cause = e instanceof UncheckedIOException ? e.getCause() : e;
        if (cause instanceof java.nio.file.AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof java.nio.file.NoSuchFileException) {
            return "no such file";
        }
        if (cause instanceof FileSystemLoopException) {
            return cause.getMessage() + " is a symbolic link to a directory above it";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
