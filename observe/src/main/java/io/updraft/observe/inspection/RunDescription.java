package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import java.nio.file.Path;
import java.time.Instant;

/**
 * Describes a run to other processes.
 *
 * @param pid the process of the run
 * @param processStartMillis when the process has started, milliseconds since the epoch; 0 if unknown
 * @param startedMillis when the run has started, milliseconds since the epoch
 * @param command the command: run or aggregate
 * @param program what is run: a class, a jar or a pipeline
 * @param directory the working directory
 * @param log the log file, which need not exist
 * @param sockets the directory of the sockets; null until it is known
 */
public record RunDescription(
        long pid,
        long processStartMillis,
        long startedMillis,
        String command,
        String program,
        Path directory,
        Path log,
        Path sockets) {
    /**
     * Describes a run of this process that starts now.
     *
     * @param command the command: run or aggregate
     * @param program what is run
     * @param log the log file
     * @return the description, without the directory of the sockets
     */
    public static RunDescription ofThisProcess(String command, String program, Path log) {
        ProcessHandle process = ProcessHandle.current();
        return new RunDescription(
                process.pid(),
                startOf(process),
                System.currentTimeMillis(),
                command,
                program,
                Path.of("").toAbsolutePath(),
                log.toAbsolutePath(),
                null);
    }

    static RunDescription of(JsonObject json) {
        return new RunDescription(
                ((Number) json.get("pid")).longValue(),
                ((Number) json.get("processStart")).longValue(),
                ((Number) json.get("started")).longValue(),
                String.valueOf(json.get("command")),
                String.valueOf(json.get("program")),
                Path.of(String.valueOf(json.get("directory"))),
                Path.of(String.valueOf(json.get("log"))),
                Path.of(String.valueOf(json.get("sockets"))));
    }

    /** {@return the description as a JSON object} */
    public JsonObject toJson() {
        return JsonObject.of("pid", pid)
                .with("processStart", processStartMillis)
                .with("started", startedMillis)
                .with("command", command)
                .with("program", program)
                .with("directory", directory.toString())
                .with("log", log.toString())
                .with("sockets", String.valueOf(sockets));
    }

    RunDescription withSockets(Path place) {
        return new RunDescription(pid, processStartMillis, startedMillis, command, program, directory, log, place);
    }

    /** {@return whether the process of the run still exists; a later process of the same number does not count} */
    public boolean isAlive() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> processStartMillis == 0 || startOf(process) == processStartMillis)
                .isPresent();
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }
}
