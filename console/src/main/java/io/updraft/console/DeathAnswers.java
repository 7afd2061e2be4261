package io.updraft.console;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.death.Deaths;
import io.updraft.observe.death.Deaths.Death;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Answers requests about the processes that have ended: a list, and the texts that the list names.
 *
 * @param pid the process of this run
 * @param startedMillis when it was started, milliseconds since the epoch
 */
record DeathAnswers(Path state, long pid, long startedMillis) {
    /** Of a longer file the end is answered. */
    static final int MOST_BYTES = 256 * 1024;

    /** {@return the processes: those of this run first, of each kind the newest first} */
    JsonObject list() throws IOException {
        List<JsonObject> deaths = Deaths.all(state).stream()
                .sorted(Comparator.comparing(this::isOfThisRun).reversed())
                .map(death -> death.toJson().with("ofThisRun", isOfThisRun(death)))
                .toList();
        return JsonObject.of("deaths", deaths);
    }

    private boolean isOfThisRun(Death death) {
        return death.run() != null && death.run() == pid && death.millis() >= startedMillis;
    }

    /** {@return the text of the member {@code file}, which must be a file that the list names} */
    JsonObject text(JsonObject request) throws IOException {
        String name = request.text("file");
        Path file = Deaths.all(state).stream()
                .flatMap(death -> Stream.of(death.record(), death.capsule()))
                .filter(each -> each != null && each.toString().equals(name))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no death has the file '" + name + "' any more"));
        try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "r")) {
            long omitted = Math.max(0, open.length() - MOST_BYTES);
            byte[] end = new byte[(int) (open.length() - omitted)];
            open.seek(omitted);
            open.readFully(end);
            return JsonObject.of("file", name)
                    .with("bytes", omitted + end.length)
                    .with("omittedBytes", omitted)
                    .with("text", new String(end, StandardCharsets.UTF_8));
        }
    }
}
