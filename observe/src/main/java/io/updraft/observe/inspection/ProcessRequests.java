package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.generated.LogConfig;

/**
 * The requests that each process answers about itself: {@value #PROCESS}, {@value #THREADS}, {@value #HEAP}, {@value #COMPONENT_HEAP},
 * {@value #PROFILE}, {@value #LOG} and {@value #LOG_LEVEL}.
 */
public final class ProcessRequests {
    /** Asks what the process is: number, role, memory. */
    public static final String PROCESS = "process";

    /** Asks for all threads with their stacks, and for deadlocks. */
    public static final String THREADS = "threads";

    /** Asks for a heap dump in the file that the member {@code file} names. */
    public static final String HEAP = "heap";

    /** Asks what the components in this process hold, as an estimate. */
    public static final String COMPONENT_HEAP = "component-heap";

    /**
     * Asks for a profile: members {@code event}, {@code millis}, {@code file}, and {@code component} for the code of one component
     * only. The answer comes when the profile is written.
     */
    public static final String PROFILE = "profile";

    /** Asks for the newest {@code lines} of the log, of one {@code component} if the request names one. */
    public static final String LOG = "log";

    /** Sets the level of a logger: members {@code logger}, {@code level} and {@code seconds}, 0 for no end. */
    public static final String LOG_LEVEL = "log-level";

    private static final String COMPONENTS = "components";

    private final JsonObject identity;

    private ProcessRequests(JsonObject identity) {
        this.identity = identity;
    }

    /**
     * Returns the handlers of this process.
     *
     * @param identity members that the answer to {@value #PROCESS} and {@value #THREADS} has, such as the number of a worker
     * @param owners tells which components' code threads run
     * @param logLevels sets the levels of this process's loggers to those given
     * @return the handlers by request, in a map that can be changed
     */
    public static Map<String, RequestHandler> handlers(
            JsonObject identity, ThreadOwners owners, Consumer<LogConfig> logLevels) {
        ProcessRequests process = new ProcessRequests(identity);
        OperatorLogLevels levels = new OperatorLogLevels(logLevels);
        Map<String, RequestHandler> handlers = new HashMap<>();
        handlers.put(PROCESS, request -> process.describe(owners));
        handlers.put(
                THREADS,
                request -> process.named(new ThreadReport(owners).take())
                        .with(COMPONENTS, List.copyOf(owners.componentNames())));
        handlers.put(HEAP, request -> process.named(HeapDumper.dump(Path.of(request.text("file")))));
        handlers.put(COMPONENT_HEAP, request -> process.named(ComponentHeap.read()));
        handlers.put(PROFILE, new ProfileRequests(owners));
        LogRequest log = new LogRequest();
        handlers.put(LOG, request -> process.named(log.answer(request)));
        handlers.put(
                LOG_LEVEL,
                request -> process.named(
                        levels.set(request.text("logger"), request.text("level"), request.whole("seconds"))));
        return handlers;
    }

    private JsonObject describe(ThreadOwners owners) {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        JsonObject process = named(JsonObject.of());
        process.put("uptimeMillis", ManagementFactory.getRuntimeMXBean().getUptime());
        process.put("heapUsed", heap.getUsed());
        process.put("heapMax", heap.getMax());
        long gcMillis = 0;
        long gcCount = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            gcMillis += Math.max(0, collector.getCollectionTime());
            gcCount += Math.max(0, collector.getCollectionCount());
        }
        process.put("gcMillis", gcMillis);
        process.put("gcCount", gcCount);
        process.put(
                "cpuMillis",
                ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .map(Duration::toMillis)
                        .orElse(null));
        process.put("threads", ManagementFactory.getThreadMXBean().getThreadCount());
        process.put(COMPONENTS, List.copyOf(owners.componentClasses().keySet()));
        return process;
    }

    private JsonObject named(JsonObject answer) {
        return JsonObject.of("pid", ProcessHandle.current().pid())
                .with(identity)
                .with(answer);
    }
}
