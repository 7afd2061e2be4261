package io.updraft.observe.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import one.profiler.AsyncProfiler;

/** Loads async-profiler's library into this process, at its first use. Its file is removed at once. */
final class NativeLibrary {
    /** The system property that is {@code jfr} where the library must not be loaded. */
    static final String PROPERTY = "updraft.profiler";

    private static final String FLIGHT_RECORDER = "jfr";
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    private static AsyncProfiler loaded;

    private NativeLibrary() {}

    /**
     * Returns the library.
     *
     * @throws IOException when it cannot be loaded; the message is the reason
     */
    static synchronized AsyncProfiler load() throws IOException {
        if (FLIGHT_RECORDER.equals(System.getProperty(PROPERTY))) {
            throw new IOException(PROPERTY + " is " + FLIGHT_RECORDER);
        }
        if (loaded == null) {
            try {
                loaded = extractAndLoad();
            } catch (LinkageError | RuntimeException e) {
                throw new IOException(String.valueOf(e.getMessage()), e);
            }
        }
        return loaded;
    }

    /** {@return a new directory that only the owner may enter} */
    static Path createDirectory() throws IOException {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            return Files.createTempDirectory(temporary, "updraft-profile-", OWNER_ONLY);
        } catch (IOException e) {
            throw new IOException("cannot create a directory in " + temporary + " (" + e + ")", e);
        }
    }

    private static AsyncProfiler extractAndLoad() throws IOException {
        Path directory = createDirectory();
        Path file = directory.resolve("libasyncProfiler.so");
        try (InputStream library = AsyncProfiler.class.getResourceAsStream("/" + platform() + "/libasyncProfiler.so")) {
            if (library == null) {
                throw new IOException("it has no library for " + platform());
            }
            Files.copy(library, file);
            return AsyncProfiler.getInstance(file.toString());
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch");
        return os.startsWith("mac")
                ? "macos"
                : os + "-"
                        + switch (processor) {
                            case "amd64", "x86_64" -> "x64";
                            case "aarch64" -> "arm64";
                            default -> processor;
                        };
    }
}
