package io.updraft.storm.context;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.storm.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blobs of a topology ({@code topology.blobstore.map}). Each blob is a file, named by its key, in a local directory. It is
 * linked into the working directory under its local name, where components open it as in a Storm worker. All workers of a
 * topology share that directory, so that each blob is linked once.
 */
public final class LinkedBlobs implements AutoCloseable {

    /** Setting: the directory with a file for each key; required if a topology has blobs. */
    public static final String DIRECTORY = "updraft.blobs.dir";

    /** Setting: the working directory, where blobs are linked; default: the directory in which the JVM was started. */
    public static final String WORKING_DIRECTORY = "updraft.working.dir";

    private static final Logger LOG = LoggerFactory.getLogger(LinkedBlobs.class);

    private final List<Path> made = new ArrayList<>();

    /** The directory of unpacked archives; null if there are none. */
    private UnpackedBlobs unpacked;

    private LinkedBlobs() {}

    private record Wanted(String key, Path file, Path working, Path place, boolean uncompress) {
        boolean isUnpacked() {
            return uncompress && !Files.isDirectory(file);
        }
    }

    /**
     * Puts all blobs of a topology into place, or none of them and throws an {@link IllegalArgumentException}. Runs for one
     * topology at a time, because it first checks that the paths are free.
     *
     * @param conf the topology's configuration
     * @return the links, to be closed after the topology
     */
    public static synchronized LinkedBlobs place(Map<String, Object> conf) {
        List<Wanted> all = wanted(conf);
        all.stream().filter(Wanted::isUnpacked).findFirst().ifPresent(LinkedBlobs::removeAbandoned);
        all.forEach(LinkedBlobs::check);
        LinkedBlobs blobs = new LinkedBlobs();
        for (Wanted each : all) {
            try {
                blobs.put(each);
            } catch (IOException e) {
                blobs.close();
                throw new IllegalArgumentException(
                        "blob '" + each.key + "' cannot be put at " + each.place + ": " + e.getMessage(), e);
            }
        }
        return blobs;
    }

    /**
     * {@return the time of the last change of each blob's file, by key, in milliseconds since the epoch; 0 if the file no longer
     * exists}
     *
     * @param conf the topology's configuration
     */
    public static Map<String, Long> versions(Map<String, Object> conf) {
        Map<String, Long> versions = new ConcurrentHashMap<>();
        wanted(conf).forEach(blob -> versions.put(blob.key, blob.file.toFile().lastModified()));
        return versions;
    }

    private static List<Wanted> wanted(Map<String, Object> conf) {
        if (!(conf.get(Config.TOPOLOGY_BLOBSTORE_MAP) instanceof Map<?, ?> map) || map.isEmpty()) {
            return List.of();
        }
        if (!(conf.get(DIRECTORY) instanceof String directory)) {
            throw new IllegalArgumentException(Config.TOPOLOGY_BLOBSTORE_MAP + " names blobs " + map.keySet()
                    + ", but their directory is not set: set " + DIRECTORY + " to a directory with a file for each");
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
        return new Wanted(key, file, working, place, Boolean.parseBoolean(String.valueOf(more.get("uncompress"))));
    }

    private static Path within(Path directory, String name, String key) {
        Path path = directory.resolve(name).normalize();
        if (!path.startsWith(directory.normalize()) || path.equals(directory.normalize())) {
            throw new IllegalArgumentException("blob '" + key + "': '" + name + "' points outside of " + directory);
        }
        return path;
    }

    private static void removeAbandoned(Wanted blob) {
        try {
            UnpackedBlobs.removeAbandoned(blob.working);
        } catch (IOException e) {
            LOG.warn("cannot remove the archives that earlier runs have unpacked in {}", blob.working, e);
        }
    }

    /**
     * Checks that a blob exists and its path is free. A killed process may have left a link to the same file, which counts as
     * free.
     */
    private static void check(Wanted blob) {
        if (!Files.exists(blob.file)) {
            throw new IllegalArgumentException("blob '" + blob.key + "' of " + Config.TOPOLOGY_BLOBSTORE_MAP
                    + " does not exist: put it at " + blob.file);
        }
        if (Files.exists(blob.place) && !isOurs(blob)) {
            String remedy = UnpackedBlobs.ownerOf(blob.place)
                    .map(owner -> ", but " + owner + " has a blob of its own there: ")
                    .orElse(", but another file is there: move that file, ");
            throw new IllegalArgumentException("blob '" + blob.key + "' belongs at " + blob.place + remedy
                    + "give the blob another localname, or set " + WORKING_DIRECTORY);
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
        Path target = blob.file;
        if (blob.isUnpacked()) {
            if (unpacked == null) {
                unpacked = UnpackedBlobs.create(blob.working);
            }
            target = unpacked.next();
            ArchiveUnpacker.unpack(blob.file, target);
        }
        if (Files.isSymbolicLink(blob.place)) {
            Files.delete(blob.place);
        }
        Files.createSymbolicLink(blob.place, target);
        made.add(blob.place);
    }

    @Override
    public void close() {
        for (Path place : made) {
            try {
                Files.deleteIfExists(place);
            } catch (IOException e) {
                LOG.warn("cannot remove the link to a blob, {}", place, e);
            }
        }
        made.clear();
        if (unpacked != null) {
            try {
                unpacked.close();
            } catch (IOException e) {
                LOG.warn("cannot remove the archives unpacked for a topology", e);
            }
            unpacked = null;
        }
    }

    /** Unpacks archives of the kinds that Storm unpacks: zip, jar, tar and gzipped tar. */
    private static final class ArchiveUnpacker {
        private ArchiveUnpacker() {}

        /** Unpacks an archive to an existing directory. The end of the archive's name tells its kind. */
        static void unpack(Path archive, Path to) throws IOException {
            String name = archive.getFileName().toString().toLowerCase(Locale.ROOT);
            if (name.endsWith(".zip") || name.endsWith(".jar")) {
                unzip(archive, to);
            } else if (name.endsWith(".tar") || name.endsWith(".tar.gz") || name.endsWith(".tgz")) {
                untar(archive, to);
            } else {
                throw new IOException(
                        archive + " cannot be unpacked: its name must end with .zip, .jar, .tar, .tar.gz or .tgz");
            }
        }

        private static void unzip(Path archive, Path to) throws IOException {
            Path root = to.toAbsolutePath().normalize();
            try (InputStream in = Files.newInputStream(archive);
                    ZipInputStream zip = new ZipInputStream(in)) {
                ZipEntry entry;
                while ((entry = zip.getNextEntry()) != null) {
                    Path file = root.resolve(entry.getName()).normalize();
                    if (!file.startsWith(root)) {
                        throw new IOException(archive + ": entry " + entry.getName() + " points outside the directory");
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

        /** Runs the system's tar program, as Storm does: the JDK cannot read tar files. */
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
    }
}
