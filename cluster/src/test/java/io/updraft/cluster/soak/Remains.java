package io.updraft.cluster.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What processes that are gone may have left behind outside of themselves. */
final class Remains {
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final int SYSV_CREATOR = 4;

    private Remains() {}

    /** {@return what is left of these processes: in their folder for temporary files, and in shared memory} */
    static List<String> of(Set<Long> pids, Path temporary) throws IOException {
        List<String> remains = new ArrayList<>(names(temporary));
        names(Path.of("/dev/shm")).stream()
                .filter(name -> NUMBER.matcher(name)
                        .results()
                        .map(match -> match.group())
                        .anyMatch(number -> pids.contains(parse(number))))
                .map(name -> "/dev/shm/" + name)
                .forEach(remains::add);
        remains.addAll(sharedSegments(pids));
        return remains;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::getFileName).map(Path::toString).toList();
        }
    }

    /** System V segments, which outlive whoever made them. */
    private static List<String> sharedSegments(Set<Long> pids) throws IOException {
        Path table = Path.of("/proc/sysvipc/shm");
        if (!Files.exists(table)) {
            return List.of();
        }
        return Files.readAllLines(table).stream()
                .skip(1)
                .map(line -> line.trim().split("\\s+"))
                .filter(columns -> pids.contains(parse(columns[SYSV_CREATOR])))
                .map(columns -> "System V shared memory " + columns[1] + " of pid " + columns[SYSV_CREATOR])
                .toList();
    }

    private static long parse(String number) {
        Matcher sane = NUMBER.matcher(number);
        return sane.matches() && number.length() < 10 ? Long.parseLong(number) : -1;
    }
}
