package io.updraft.cli.inspection;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import io.updraft.observe.inspection.InspectionClient;
import io.updraft.observe.inspection.InspectionClient.RefusedRequestException;
import io.updraft.observe.inspection.RunDescription;
import io.updraft.observe.inspection.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The run that a command is for.
 *
 * @param directory the directory of the run
 * @param topology the topology or pipeline that the user has named; null for none
 */
record ChosenRun(RunDirectory directory, String topology) {
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(3);

    /** {@return the living run with a process number and a topology; either may be null} */
    static ChosenRun choose(Path state, Long pid, String name) {
        List<RunDirectory> alive = RunDirectory.all(state).stream()
                .filter(run -> run.description().isAlive())
                .toList();
        if (alive.isEmpty()) {
            throw new UserError(ExitCode.FAILED, "no run is alive ('updraft ps' lists the ended ones)", null);
        }
        List<RunDirectory> fitting = alive.stream()
                .filter(run -> pid == null || run.description().pid() == pid)
                .filter(run -> name == null || names(run).contains(name))
                .toList();
        if (fitting.size() == 1) {
            return new ChosenRun(fitting.get(0), name);
        }
        String all = alive.stream().map(ChosenRun::label).collect(Collectors.joining("; "));
        throw fitting.isEmpty()
                ? new UserError(ExitCode.FAILED, "no such run is alive; alive: " + all, null)
                : new UserError("several runs are alive; add --pid N or --run NAME: " + all, null);
    }

    private static String label(RunDirectory run) {
        List<String> names = names(run);
        return run.description().pid() + " ("
                + (names.isEmpty() ? run.description().program() : String.join(", ", names)) + ")";
    }

    /** {@return the names of the topologies and pipelines of a run; none if it does not answer} */
    static List<String> names(RunDirectory run) {
        try {
            return topologies(state(run)).stream()
                    .map(topology -> String.valueOf(topology.get("name")))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    /** {@return what a run tells about its topologies} */
    static JsonObject state(RunDirectory run) throws IOException {
        return InspectionClient.ask(run.socketOf(run.description().pid()), "state", JsonObject.of(), LOOK_LIMIT);
    }

    /** {@return the topologies in an answer} */
    @SuppressWarnings("unchecked")
    static List<JsonObject> topologies(JsonObject answer) {
        return answer.get("topologies") instanceof List<?> list ? (List<JsonObject>) list : List.of();
    }

    RunDescription description() {
        return directory.description();
    }

    /** Asks the process of the run, about the topology that the user has named. */
    JsonObject ask(String request, JsonObject arguments, Duration limit) {
        JsonObject all = new JsonObject(arguments);
        if (topology != null) {
            all.put("topology", topology);
        }
        return ask(description().pid(), request, all, limit);
    }

    /** Asks a process of the run. */
    JsonObject ask(long pid, String request, JsonObject arguments, Duration limit) {
        try {
            return InspectionClient.ask(directory.socketOf(pid), request, arguments, limit);
        } catch (RefusedRequestException e) {
            throw new UserError(ExitCode.FAILED, e.getMessage(), e);
        } catch (IOException e) {
            throw new UserError(ExitCode.FAILED, "process " + pid + " does not answer: " + e.getMessage(), e);
        }
    }

    /** {@return the living processes of the run, the process of the run first} */
    List<Long> processes() {
        List<Long> alive = new ArrayList<>();
        for (long pid : directory.processes()) {
            if (ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent()) {
                alive.add(pid);
            }
        }
        return alive;
    }
}
