package io.updraft.bench.compat;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What is to be compared.
 *
 * @param jar the built programs, with their libraries
 * @param programs the file that lists them
 * @param files the directory of files that programs read
 * @param only which of them to run, by their name
 * @param time how long each topology runs
 * @param javaHome the JDK of both sides
 * @param storm Storm's class path
 * @param directory where outputs go, a directory for each program and side
 * @param again whether Storm's part is taken from an earlier run in that directory, where it is there
 * @param parallel how many programs run at a time
 * @param markdown the file to write the table to; null for none
 */
public record CompatRequest(
        Path jar,
        Path programs,
        Path files,
        Pattern only,
        Duration time,
        Path javaHome,
        String storm,
        Path directory,
        boolean again,
        int parallel,
        Path markdown) {

    /**
     * Runs and compares.
     *
     * @param out where each line of the table is printed when it is known
     * @return whether no program works on Storm and does otherwise here
     * @throws IOException when a file cannot be read or written
     * @throws InterruptedException when the calling thread is interrupted
     * @throws IllegalArgumentException with one line that says which file makes no sense
     */
    public boolean run(PrintWriter out) throws IOException, InterruptedException {
        List<Program> chosen = ProgramList.read(programs, files).stream()
                .filter(program -> only.matcher(program.name()).find())
                .toList();
        Files.createDirectories(directory);
        List<String> lines =
                new ArrayList<>(List.of("| program | on Storm | on Updraft | the same |", "| --- | --- | --- | --- |"));
        lines.forEach(out::println);
        List<Row> rows = new Survey(Sides.of(javaHome, jar, storm, directory), directory, time, again, parallel, out)
                .run(chosen);
        rows.forEach(row -> lines.add(row.markdown()));
        if (markdown != null) {
            Files.write(markdown, lines);
        }
        return rows.stream().noneMatch(row -> row.verdict() == Row.Verdict.DIFFERENT);
    }
}
