package io.updraft.pipeline.source;

import io.updraft.pipeline.connector.SourceException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Finds files by paths, directories and patterns. */
public final class FileFinder {

    /** Receives what cannot be read. The search continues unless a method throws. */
    interface Problems {

        /** Receives a file, or a directory that cannot be listed or searched. */
        void unreadable(Path path, IOException reason) throws IOException;

        /** Receives a symbolic link to a directory above it. The search does not follow the link. */
        void loop(Path link);
    }

    private FileFinder() {}

    /**
     * Returns the files, each once: in the order of the paths that match them, and by name within one path.
     *
     * @param paths files, directories, and patterns as in the shell
     * @param follow whether files and directories below a path are ignored as long as they cannot be read
     * @throws SourceException when a path neither exists nor is a pattern, or a directory cannot be listed
     */
    public static List<Path> find(List<String> paths, boolean follow) throws SourceException {
        Set<Path> found = new LinkedHashSet<>();
        for (String path : paths) {
            found.addAll(find(path, new Problems() {
                @Override
                public void unreadable(Path place, IOException reason) throws IOException {
                    if (!follow || place.equals(root(path))) {
                        throw named(List.of(path), place, reason);
                    }
                }

                @Override
                public void loop(Path link) {
                    // The run that reads the files reports it.
                }
            }));
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
            for (Path path : find(paths, false)) {
                keys.add(FileIdentity.key(path));
            }
            return keys.size() == 1;
        } catch (SourceException | IOException e) {
            return false; // the source reports it
        }
    }

    /** Returns the files of a path, by name. */
    static Collection<Path> find(String text, Problems problems) throws SourceException {
        Path path = Path.of(text);
        try {
            if (Files.isDirectory(path)) {
                return listed(path, problems);
            }
            if (Files.exists(path)) {
                return List.of(regular(path));
            }
            if (isPattern(text)) {
                return matching(text, problems);
            }
        } catch (IOException | DirectoryIteratorException e) {
            throw new SourceException(text + " cannot be listed: " + reason(e), e);
        }
        throw new SourceException(text + ": no such file or directory");
    }

    /** Returns the directory that the search of a path begins in. */
    private static Path root(String path) {
        return isPattern(path) && !Files.exists(Path.of(path)) ? unDotted(base(path)) : Path.of(path);
    }

    /** Returns an exception that names the place which cannot be read, unless it is one of the paths. */
    static IOException named(List<String> paths, Path place, IOException reason) {
        return paths.contains(place.toString())
                ? reason
                : new IOException(place + ": " + reason(place, reason), reason);
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

    private static TreeSet<Path> listed(Path directory, Problems problems) throws IOException {
        return walked(directory, 1, file -> true, problems);
    }

    private static TreeSet<Path> matching(String pattern, Problems problems) throws IOException {
        Path base = base(pattern);
        if (!Files.isDirectory(base)) {
            return new TreeSet<>();
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
        boolean deep = pattern.contains("**");
        int above = Path.of(pattern).startsWith(base) ? base.getNameCount() : 0;
        int depth = deep ? Integer.MAX_VALUE : Path.of(pattern).getNameCount() - above;
        return walked(
                base,
                Math.max(1, depth),
                file -> matcher.matches(file) || matcher.matches(Path.of("").resolve(unDotted(file))),
                problems);
    }

    private static TreeSet<Path> walked(Path base, int depth, PathMatcher matcher, Problems problems)
            throws IOException {
        Search search = new Search(matcher, problems);
        Files.walkFileTree(base, EnumSet.of(FileVisitOption.FOLLOW_LINKS), depth, search);
        return search.found;
    }

    /** Collects the files that match; reports those that cannot be read. */
    private static final class Search extends SimpleFileVisitor<Path> {

        private final TreeSet<Path> found = new TreeSet<>();
        private final Set<Path> unreadable = new HashSet<>();
        private final PathMatcher matcher;
        private final Problems problems;

        Search(PathMatcher matcher, Problems problems) {
            this.matcher = matcher;
            this.problems = problems;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (file.getFileName().toString().startsWith(".") || !matcher.matches(file)) {
                return FileVisitResult.CONTINUE;
            }
            try {
                if (attributes.isRegularFile()
                        || attributes.isSymbolicLink()
                                && Files.readAttributes(file, BasicFileAttributes.class)
                                        .isRegularFile()) {
                    found.add(unDotted(file));
                }
            } catch (IOException e) {
                visitFileFailed(file, e);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof FileSystemLoopException) {
                problems.loop(unDotted(file));
            } else if (!(e instanceof NoSuchFileException)) {
                report(place(file, e), e);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, IOException e) throws IOException {
            if (e != null) {
                report(directory, e);
            }
            return FileVisitResult.CONTINUE;
        }

        // In a directory that cannot be searched, not even the attributes of a file can be read.
        private static Path place(Path file, IOException e) {
            Path directory = file.getParent();
            boolean searched =
                    !(e instanceof AccessDeniedException) || directory == null || Files.isExecutable(directory);
            return searched ? file : directory;
        }

        private void report(Path path, IOException e) throws IOException {
            if (unreadable.add(path)) {
                problems.unreadable(unDotted(path), e);
            }
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

    /** Returns why the file or directory at a path cannot be read, without its name. */
    static String reason(Path path, Exception e) {
        String reason = reason(e);
        String name = path + ": ";
        return reason.startsWith(name) ? reason.substring(name.length()) : reason;
    }

    /** Returns why a file or directory cannot be read. */
    public static String reason(Exception e) {
        Exception cause = e instanceof DirectoryIteratorException iteration ? iteration.getCause() : e;
        if (cause instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (cause instanceof NoSuchFileException) {
            return "no such file";
        }
        return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    }
}
