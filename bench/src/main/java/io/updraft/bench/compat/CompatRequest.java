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
 * A checked request to compare programs on Storm and Updraft.
 *
 * @param jar the programs' jar, with their libraries
 * @param programs the YAML file that lists the programs
 * @param files the directory of files that programs read
 * @param only a program runs if its name contains a match
 * @param time how long each topology runs
 * @param javaHome the JDK of both sides
 * @param storm Storm's class path
 * @param directory the directory for outputs, one subdirectory per program and side
 * @param again whether earlier Storm runs in that directory are reused
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
        Path markdown) {

    /**
     * Runs the programs on both sides and compares them.
     *
     * @param out receives the table, each line as soon as it is known
     * @return false if a program works on Storm and behaves differently on Updraft
     * @throws IOException when a file cannot be read or written
     * @throws IllegalArgumentException when the list of programs is wrong; the one-line message names the file and line
     */
    public boolean run(PrintWriter out) throws IOException, InterruptedException {
        List<ComparedProgram> chosen = ProgramList.read(programs, files).stream()
                .filter(program -> only.matcher(program.name()).find())
                .toList();
        Files.createDirectories(directory);
        List<String> lines =
                new ArrayList<>(List.of("| program | on Storm | on Updraft | the same |", "| --- | --- | --- | --- |"));
        lines.forEach(out::println);
        List<CompatRow> rows = new ProgramComparisons(this, out).run(chosen);
        rows.forEach(row -> lines.add(row.markdown()));
        if (markdown != null) {
            Files.write(markdown, lines);
        }
        return rows.stream().noneMatch(row -> row.verdict() == CompatRow.Verdict.DIFFERENT);
    }
}
