package io.updraft.observe.profile;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * Says which profile to take.
 *
 * @param event what is counted
 * @param time how long
 * @param file the file to write, which must not exist; the ending of its name is the format
 * @param component the component whose code alone is of interest; null for all code
 * @param classes the names of the component's classes; null for all code
 */
public record ProfileOrder(ProfileEvent event, Duration time, Path file, String component, Set<String> classes) {
    /** The shortest profile. */
    public static final Duration SHORTEST = Duration.ofSeconds(1);

    /** The longest profile. */
    public static final Duration LONGEST = Duration.ofMinutes(10);

    ProfileFormat format() {
        return ProfileFormat.of(file);
    }

    void check() throws IOException {
        if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a profile takes 1s to 10m, not " + time.toMillis() + " ms");
        }
        if (format() == ProfileFormat.JFR && component != null) {
            throw new IllegalArgumentException(
                    "a .jfr file has the code of all components; name a .html or .collapsed file");
        }
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file + " exists already; it is not overwritten");
        }
        if (!Files.isDirectory(file.toAbsolutePath().getParent())) {
            throw new IOException(
                    "there is no directory " + file.toAbsolutePath().getParent());
        }
    }
}
