package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import io.updraft.observe.profile.ProfileEvent;
import io.updraft.observe.profile.ProfileOrder;
import io.updraft.observe.profile.Profiler;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Takes profiles of this process. A profile ends early when its client is gone. */
final class ProfileRequests implements RequestHandler {
    private final ThreadOwners owners;

    ProfileRequests(ThreadOwners owners) {
        this.owners = owners;
    }

    @Override
    public JsonObject answer(JsonObject request) throws Exception {
        return answer(request, () -> true);
    }

    @Override
    public JsonObject answer(JsonObject request, BooleanSupplier isWanted) throws Exception {
        Map<String, Set<String>> classes = owners.componentClasses();
        String component = request.get("component") instanceof String name ? name : null;
        if (component != null && !classes.containsKey(component)) {
            throw new IllegalArgumentException("no component '" + component + "' has tasks in this process");
        }
        Set<String> componentClasses = component == null ? null : classes.get(component);
        return JsonObject.of("pid", ProcessHandle.current().pid())
                .with("sameClasses", component == null ? List.of() : sameClasses(component, classes))
                .with(Profiler.profile(
                        new ProfileOrder(
                                ProfileEvent.of(request.text("event")),
                                Duration.ofMillis(request.whole("millis")),
                                Path.of(request.text("file")).toAbsolutePath(),
                                component,
                                componentClasses),
                        isWanted));
    }

    /** {@return the other components that no class tells from this one} */
    private static List<String> sameClasses(String component, Map<String, Set<String>> classes) {
        Set<String> componentClasses = classes.get(component);
        return classes.keySet().stream()
                .filter(other -> !other.equals(component))
                .filter(other -> classes.get(other).stream().anyMatch(componentClasses::contains))
                .toList();
    }
}
