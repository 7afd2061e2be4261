package io.updraft.console.operator;

import io.updraft.base.json.Json;
import io.updraft.base.json.JsonException;
import io.updraft.observe.inspection.FileTail;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the newest letters of a dead letter file, whose lines are JSON objects. */
final class DeadLetterTail {
    private DeadLetterTail() {}

    /** {@return the last letters of the file, oldest first; a line that is not JSON is returned as text} */
    static List<Object> read(Path path, int most) throws IOException {
        List<String> lines =
                FileTail.lines(path).stream().filter(line -> !line.isBlank()).toList();
        List<Object> letters = new ArrayList<>();
        for (String line : lines.subList(Math.max(0, lines.size() - Math.max(0, most)), lines.size())) {
            letters.add(parsed(line));
        }
        return letters;
    }

    private static Object parsed(String line) {
        try {
            return Json.readObject(line);
        } catch (JsonException e) {
            return line;
        }
    }
}
