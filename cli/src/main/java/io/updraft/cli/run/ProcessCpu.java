package io.updraft.cli.run;

import com.sun.management.OperatingSystemMXBean;
import io.updraft.observe.process.WorkerStatus;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;

/** The CPU time of the processes that run a topology. */
final class ProcessCpu {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private ProcessCpu() {}

    /** {@return the CPU time of the workers, or of this process if there are none, nanoseconds} */
    static long nanos(List<WorkerStatus> workers) {
        return workers.isEmpty()
                ? SYSTEM.getProcessCpuTime()
                : workers.stream().mapToLong(worker -> nanos(worker.pid())).sum();
    }

    private static long nanos(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().totalCpuDuration())
                .map(Duration::toNanos)
                .orElse(0L);
    }
}
