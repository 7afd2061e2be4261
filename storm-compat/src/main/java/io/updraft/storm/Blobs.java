package io.updraft.storm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.storm.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blobs that a topology asks for ({@code topology.blobstore.map}): files of a local directory, by their keys, put into the
 * working directory under their local names, where components open them as they do in a Storm worker. They are put there once for
 * all workers of a topology, since these share the directory.
 */
final class Blobs implements AutoCloseable {

    /** The directory with a file for each key; it has to be said if a topology asks for blobs. */
    static final String DIRECTORY = "updraft.blobs.dir";

    /** Where blobs are put; default: the directory in which the JVM was started. */
    static final String WORKING_DIRECTORY = "updraft.working.dir";

    private static final Logger LOG = LoggerFactory.getLogger(Blobs.class);

    private final List<Path> made = new ArrayList<>();

    private Blobs() {}

    /**
     * One blob that a topology asks for.
     *
     * @param key its name in the store
     * @param file where it lies
     * @param place where it is to be
     * @param uncompress whether it is an archive that is to be unpacked there
     */
    private record Wanted(String key, Path file, Path place, boolean uncompress) {}

    /**
     * Puts the blobs of a topology into place, or none of them.
     *
     * @throws IllegalArgumentException when one is not there, its place is taken, or it cannot be put there
     */
    static Blobs place(Map<String, Object> conf) {
        List<Wanted> all = wanted(conf);
        all.forEach(Blobs::check);
        Blobs blobs = new Blobs();
        for (Wanted each : all) {
            try {
                blobs.put(each);
            } catch (IOException e) {
                blobs.close();
                throw new IllegalArgumentException(
                        "blob '" + each.key + "' could not be put to " + each.place + ": " + e.getMessage(), e);
            }
        }
        return blobs;
    }

    /** By key, when the file was changed last, milliseconds since the epoch; 0 for one that is not there any more. */
    static Map<String, Long> versions(Map<String, Object> conf) {
        Map<String, Long> versions = new ConcurrentHashMap<>();
        wanted(conf).forEach(blob -> versions.put(blob.key, blob.file.toFile().lastModified()));
        return versions;
    }

    private static List<Wanted> wanted(Map<String, Object> conf) {
        if (!(conf.get(Config.TOPOLOGY_BLOBSTORE_MAP) instanceof Map<?, ?> map) || map.isEmpty()) {
            return List.of();
        }
        if (!(conf.get(DIRECTORY) instanceof String directory)) {
            throw new IllegalArgumentException(Config.TOPOLOGY_BLOBSTORE_MAP + " asks for blobs " + map.keySet()
                    + ", but nothing says where they lie: set " + DIRECTORY + " to a directory with a file for each");
        }
        Object place = conf.get(WORKING_DIRECTORY);
        Path working = Path.of(place == null ? "" : place.toString()).toAbsolutePath();
        List<Wanted> all = new ArrayList<>();
        new TreeMap<Object, Object>(map)
                .forEach((key, info) -> all.add(wanted(Path.of(directory), working, key.toString(), info)));
        return all;
    }

    private static Wanted wanted(Path directory, Path working, String key, Object info) {
        Map<?, ?> more = info instanceof Map<?, ?> some ? some : Map.of();
        Object local = more.get("localname");
        Path file = within(directory.toAbsolutePath(), key, key);
        Path place = within(working, local == null ? key : local.toString(), key);
        return new Wanted(key, file, place, Boolean.parseBoolean(String.valueOf(more.get("uncompress"))));
    }

    private static Path within(Path directory, String name, String key) {
        Path path = directory.resolve(name).normalize();
        if (!path.startsWith(directory.normalize()) || path.equals(directory.normalize())) {
            throw new IllegalArgumentException("blob '" + key + "': '" + name + "' leads out of " + directory);
        }
        return path;
    }

    /** What a process that was killed has left behind is a link to the same file. */
    private static void check(Wanted blob) {
        if (!Files.exists(blob.file)) {
            throw new IllegalArgumentException("blob '" + blob.key + "' of " + Config.TOPOLOGY_BLOBSTORE_MAP
                    + " is not there: put it to " + blob.file);
        }
        if (Files.exists(blob.place) && !isOurs(blob)) {
            throw new IllegalArgumentException("blob '" + blob.key + "' is to be put to " + blob.place
                    + ", but there is something else: move it, give the blob another localname, or set "
                    + WORKING_DIRECTORY);
        }
    }

    private static boolean isOurs(Wanted blob) {
        try {
            return Files.isSymbolicLink(blob.place)
                    && Files.readSymbolicLink(blob.place).equals(blob.file);
        } catch (IOException e) {
            return false;
        }
    }

    private void put(Wanted blob) throws IOException {
        Files.createDirectories(blob.place.getParent());
        if (blob.uncompress && !Files.isDirectory(blob.file)) {
            made.add(blob.place);
            unpack(blob.file, Files.createDirectories(blob.place));
        } else {
            Files.deleteIfExists(blob.place);
            Files.createSymbolicLink(blob.place, blob.file);
            made.add(blob.place);
        }
    }

    private static void unpack(Path archive, Path to) throws IOException {
        String name = archive.getFileName().toString().toLowerCase(Locale.ROOT);
        if (name.endsWith(".zip") || name.endsWith(".jar")) {
            unzip(archive, to);
        } else if (name.endsWith(".tar") || name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
            untar(archive, to);
        } else {
            throw new IOException(
                    archive + " is no archive that can be unpacked: its name has to end with .zip, .jar, .tar,"
                            + " .tar.gz or .tgz");
        }
    }

    private static void unzip(Path archive, Path to) throws IOException {
        try (InputStream in = Files.newInputStream(archive);
                ZipInputStream zip = new ZipInputStream(in)) {
            ZipEntry entry;
            while ((entry = zip.getNextEntry()) != null) {
                Path file = to.resolve(entry.getName()).normalize();
                if (!file.startsWith(to)) {
                    throw new IOException(archive + ": entry " + entry.getName() + " leads out of the archive");
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
    }

    /** The JDK reads no tar; Storm asks the system's program as well. */
    private static void untar(Path archive, Path to) throws IOException {
        Process tar = new ProcessBuilder("tar", "-xf", archive.toString(), "-C", to.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (tar.waitFor() != 0) {
                throw new IOException("tar could not unpack " + archive + ": " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while " + archive + " was unpacked", e);
        }
    }

    /** Removes what was put into place. */
    @Override
    public void close() {
        for (Path place : made) {
            try {
                remove(place);
            } catch (IOException e) {
                LOG.warn("could not remove the blob {}", place, e);
            }
        }
        made.clear();
    }

    private static void remove(Path place) throws IOException {
        if (Files.isSymbolicLink(place) || !Files.isDirectory(place)) {
            Files.deleteIfExists(place);
            return;
        }
        try (Stream<Path> tree = Files.walk(place)) {
            List<Path> leavesFirst = tree.sorted(Comparator.reverseOrder()).toList();
            for (Path path : leavesFirst) {
                Files.deleteIfExists(path);
            }
        }
    }
}
