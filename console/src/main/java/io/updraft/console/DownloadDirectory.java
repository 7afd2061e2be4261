package io.updraft.console;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.StateDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The heap dumps and flame graphs that the console has made, in a directory that only the owner may enter. They stay until somebody
 * deletes them.
 */
final class DownloadDirectory {
    private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS");

    /** Names of files that this class has made; no name leads out of the directory. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]*\\.(hprof|html)");

    private final Path directory;

    DownloadDirectory(Path directory) {
        this.directory = directory.toAbsolutePath();
    }

    /** {@return a file that does not exist} */
    Path next(String kind, String ending) throws IOException {
        return StateDirectory.ownersOnly(directory)
                .resolve(kind.replaceAll("[^A-Za-z0-9-]", "_") + "-"
                        + LocalDateTime.now().format(STAMP) + ending);
    }

    /** {@return the file of this name; empty if there is none} */
    Optional<Path> find(String name) {
        return NAME.matcher(name).matches()
                ? Optional.of(directory.resolve(name)).filter(Files::isRegularFile)
                : Optional.empty();
    }

    JsonObject delete(String name) throws IOException {
        Path file =
                find(name).orElseThrow(() -> new IllegalArgumentException("there is no file '" + name + "' any more"));
        Files.deleteIfExists(file);
        return JsonObject.of("message", name + " is deleted");
    }

    /** {@return all files, the newest first} */
    JsonObject list() throws IOException {
        List<Path> files = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
                all.forEach(files::add);
            }
        }
        List<JsonObject> described = new ArrayList<>();
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (find(name).isPresent()) {
                described.add(describe(name, file));
            }
        }
        described.sort(Comparator.comparing(each -> String.valueOf(each.get("time")), Comparator.reverseOrder()));
        return JsonObject.of("files", described);
    }

    private static JsonObject describe(String name, Path file) throws IOException {
        return links(name)
                .with("bytes", Files.size(file))
                .with(
                        "time",
                        Instant.ofEpochMilli(Files.getLastModifiedTime(file).toMillis())
                                .toString());
    }

    /** Describes where the page finds a file. */
    static JsonObject links(String name) {
        JsonObject json = new JsonObject();
        boolean flame = name.endsWith(".html");
        json.put("name", name);
        json.put("kind", flame ? "flame" : "heap");
        json.put("download", ConsolePages.FILES + name);
        if (flame) {
            json.put("view", ConsolePages.FILES + name + "?view=1");
        }
        return json;
    }
}
