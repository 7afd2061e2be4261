package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.base.json.JsonObject;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Refuses a component that no process of a run has. */
final class UnknownComponent {
    private static final String COMPONENTS = "components";

    private UnknownComponent() {}

    /**
     * Throws if no process has a component.
     *
     * @param processes what the processes of the run answer: the {@code components} that they know, and {@code threads} of components.
     *     A process that does not answer, with {@code error}, may have the component
     */
    static void check(String component, List<JsonObject> processes) {
        TreeSet<String> all =
                processes.stream().flatMap(UnknownComponent::components).collect(Collectors.toCollection(TreeSet::new));
        boolean complete = processes.stream().noneMatch(process -> process.containsKey("error"));
        if (complete && !all.contains(component)) {
            throw new UserError(
                    ExitCode.FAILED,
                    "there is no component '" + component + "'"
                            + (all.isEmpty() ? "" : "; the components are " + String.join(", ", all)),
                    null);
        }
    }

    private static Stream<String> components(JsonObject process) {
        Stream<?> listed = process.get(COMPONENTS) instanceof List<?> list ? list.stream() : Stream.empty();
        Stream<?> running = process.get("threads") instanceof List<?>
                ? process.objects("threads").stream().map(thread -> thread.get("component"))
                : Stream.empty();
        return Stream.concat(listed, running).filter(Objects::nonNull).map(String::valueOf);
    }
}
