package io.updraft.cli;

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
 * @param topology the topology or pipeline that the user has named; null for none
 */
record ChosenRun(RunDirectory directory, String topology) {
    private static final Duration LOOK_LIMIT = Duration.ofSeconds(3);

    /**
     * {@return the living run with a process number and a topology; either may be null} A topology that has ended counts if no
     * living one has the name.
     */
    static ChosenRun choose(Path state, Long pid, String name) {
        List<RunDirectory> alive = RunDirectory.all(state).stream()
                .filter(run -> run.description().isAlive())
                .toList();
        if (alive.isEmpty()) {
            throw new UserError(ExitCode.FAILED, "no run is alive ('updraft ps' lists the ended ones)", null);
        }
        List<RunDirectory> numbered = alive.stream()
                .filter(run -> pid == null || run.description().pid() == pid)
                .toList();
        if (name == null && numbered.size() == 1) {
            return new ChosenRun(numbered.get(0), null); // is not asked for names: it may hang
        }
        List<Candidate> fitting = numbered.stream().map(Candidate::ask).toList();
        if (name != null) {
            fitting = named(fitting, name);
        }
        if (fitting.size() == 1) {
            return new ChosenRun(fitting.get(0).directory(), name);
        }
        String all = alive.stream().map(run -> Candidate.ask(run).label()).collect(Collectors.joining("; "));
        throw fitting.isEmpty()
                ? new UserError(ExitCode.FAILED, missing(pid, name) + " is alive; alive: " + all, null)
                : new UserError("several runs are alive; add --pid N or --run NAME: " + all, null);
    }

    private static List<Candidate> named(List<Candidate> all, String name) {
        List<Candidate> living =
                all.stream().filter(run -> run.living().contains(name)).toList();
        return living.isEmpty()
                ? all.stream().filter(run -> run.ended().contains(name)).toList()
                : living;
    }

    private static String missing(Long pid, String name) {
        String run = pid == null ? "" : "run with process number " + pid;
        return name == null
                ? "no " + run
                : "no topology or pipeline '" + name + "'" + (pid == null ? "" : " of the " + run);
    }

    /** A living run, and the names of its topologies and pipelines; without names if it does not answer. */
    private record Candidate(RunDirectory directory, List<String> living, List<?> ended) {
        static Candidate ask(RunDirectory run) {
            try {
                JsonObject state = state(run);
                return new Candidate(
                        run,
                        topologies(state).stream()
                                .map(topology -> String.valueOf(topology.get("name")))
                                .toList(),
                        state.get("ended") instanceof List<?> names ? names : List.of());
            } catch (IOException e) {
                return new Candidate(run, List.of(), List.of());
            }
        }

        String label() {
            return directory.description().pid() + " ("
                    + (living.isEmpty() ? directory.description().program() : String.join(", ", living)) + ")";
        }
    }

    /** {@return what a run tells about its topologies} */
    static JsonObject state(RunDirectory run) throws IOException {
        return InspectionClient.ask(run.socketOf(run.description().pid()), "state", JsonObject.of(), LOOK_LIMIT);
    }

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
    @SuppressWarnings("try") // The notice is not used in the block; it must only be open.
    JsonObject ask(long pid, String request, JsonObject arguments, Duration limit) {
        try (SilenceNotice notice = new SilenceNotice(pid, limit)) {
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
