package io.updraft.storm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
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

    /** Where archives are unpacked to; null if there was none. */
    private UnpackedBlobs unpacked;

    private Blobs() {}

    /**
     * One blob that a topology asks for.
     *
     * @param key its name in the store
     * @param file where it lies
     * @param working the working directory
     * @param place where it is to be
     * @param uncompress whether it is an archive that is to be unpacked there
     */
    private record Wanted(String key, Path file, Path working, Path place, boolean uncompress) {
        boolean isUnpacked() {
            return uncompress && !Files.isDirectory(file);
        }
    }

    /**
     * Puts the blobs of a topology into place, or none of them. One topology at a time, since each looks first whether the places
     * are free.
     *
     * @throws IllegalArgumentException when one is not there, its place is taken, or it cannot be put there
     */
    static synchronized Blobs place(Map<String, Object> conf) {
        List<Wanted> all = wanted(conf);
        all.stream().filter(Wanted::isUnpacked).findFirst().ifPresent(Blobs::removeAbandoned);
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
        return new Wanted(key, file, working, place, Boolean.parseBoolean(String.valueOf(more.get("uncompress"))));
    }

    private static Path within(Path directory, String name, String key) {
        Path path = directory.resolve(name).normalize();
        if (!path.startsWith(directory.normalize()) || path.equals(directory.normalize())) {
            throw new IllegalArgumentException("blob '" + key + "': '" + name + "' leads out of " + directory);
        }
        return path;
    }

    private static void removeAbandoned(Wanted blob) {
        try {
            UnpackedBlobs.removeAbandoned(blob.working);
        } catch (IOException e) {
            LOG.warn("what earlier runs have unpacked to {} stays there", blob.working, e);
        }
    }

    /** What a process that was killed has left behind is a link to the same file, or by now to nothing. */
    private static void check(Wanted blob) {
        if (!Files.exists(blob.file)) {
            throw new IllegalArgumentException("blob '" + blob.key + "' of " + Config.TOPOLOGY_BLOBSTORE_MAP
                    + " is not there: put it to " + blob.file);
        }
        if (Files.exists(blob.place) && !isOurs(blob)) {
            String remedy = UnpackedBlobs.ownerOf(blob.place)
                    .map(owner -> ", which " + owner + " uses for a blob of its own: ")
                    .orElse(", but there is something else: move it, ");
            throw new IllegalArgumentException("blob '" + blob.key + "' is to be put to " + blob.place + remedy
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
            Archives.unpack(blob.file, target);
        }
        if (Files.isSymbolicLink(blob.place)) {
            Files.delete(blob.place);
        }
        Files.createSymbolicLink(blob.place, target);
        made.add(blob.place);
    }

    /** Removes what was put into place. */
    @Override
    public void close() {
        for (Path place : made) {
            try {
                Files.deleteIfExists(place);
            } catch (IOException e) {
                LOG.warn("could not remove the blob {}", place, e);
            }
        }
        made.clear();
        if (unpacked != null) {
            try {
                unpacked.close();
            } catch (IOException e) {
                LOG.warn("could not remove what was unpacked for a topology", e);
            }
            unpacked = null;
        }
    }
}
