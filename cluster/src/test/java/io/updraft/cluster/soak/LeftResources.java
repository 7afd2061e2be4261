package io.updraft.cluster.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds the resources that ended processes have left behind. */
final class LeftResources {
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final int SYSV_CREATOR = 4;

    private LeftResources() {}

    /** {@return what there is in shared memory, whoever made it: a system gives numbers of processes again} */
    static Set<String> inSharedMemory() throws IOException {
        Set<String> all = new HashSet<>();
        names(SHARED_MEMORY).stream().map(LeftResources::file).forEach(all::add);
        sharedSegments().stream().map(LeftResources::segment).forEach(all::add);
        return all;
    }

    /**
     * Looks for what these processes have left.
     *
     * @param pids the processes
     * @param temporary their folder for temporary files
     * @param before what was in shared memory before there was any of them
     * @return what is left of them there, and in shared memory
     */
    static List<String> of(Set<Long> pids, Path temporary, Set<String> before) throws IOException {
        List<String> remains = new ArrayList<>();
        names(SHARED_MEMORY).stream()
                .filter(name -> NUMBER.matcher(name)
                        .results()
                        .map(match -> match.group())
                        .anyMatch(number -> pids.contains(parse(number))))
                .map(LeftResources::file)
                .forEach(remains::add);
        sharedSegments().stream()
                .filter(columns -> pids.contains(parse(columns[SYSV_CREATOR])))
                .map(LeftResources::segment)
                .forEach(remains::add);
        remains.removeAll(before);
        remains.addAll(names(temporary));
        return remains;
    }

    private static String file(String name) {
        return SHARED_MEMORY.resolve(name).toString();
    }

    private static String segment(String[] columns) {
        return "System V shared memory " + columns[1] + " of pid " + columns[SYSV_CREATOR];
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::getFileName).map(Path::toString).toList();
        }
    }

    /** System V segments, which outlive whoever made them. */
    private static List<String[]> sharedSegments() throws IOException {
        Path table = Path.of("/proc/sysvipc/shm");
        if (!Files.exists(table)) {
            return List.of();
        }
        return Files.readAllLines(table).stream()
                .skip(1)
                .map(line -> line.trim().split("\\s+"))
                .toList();
    }

    private static long parse(String number) {
        Matcher sane = NUMBER.matcher(number);
        return sane.matches() && number.length() < 10 ? Long.parseLong(number) : -1;
    }
}
