package io.updraft.engine.run;

import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.SubscriptionPlan;
import io.updraft.engine.snapshot.CallInProgress;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Finds the calls of user code that are stuck. Costs a read for each executor, and a look at the stack of
 * each thread that is in such a call. May be used by any thread.
 */
final class CallReader {

    private static final int MOST_FRAMES = 100;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

    /** Whether a component is congested, by its id. */
    private final Predicate<String> congested;

    /** Creates a reader that asks which components are congested. */
    CallReader(Predicate<String> congested) {
        this.congested = congested;
    }

    /**
     * {@return the calls, the longest first}
     *
     * @param executors the executors to look at
     * @param now the time by the engine's clock, nanoseconds
     */
    List<CallInProgress> read(List<Executor> executors, long now) {
        List<CallInProgress> calls = new ArrayList<>();
        for (Executor executor : executors) {
            long since = executor.turnThread().since();
            if (since != TurnThread.NO_TURN && now - since >= CallInProgress.STUCK_FROM_NANOS && !executor.hasEnded()) {
                CallInProgress call = read(executor, since, now);
                if (call != null && call.isStuck()) {
                    calls.add(call);
                }
            }
        }
        calls.sort(Comparator.comparing(CallInProgress::nanos).reversed());
        return calls;
    }

    /** Returns the call, or null if it has returned meanwhile. */
    private CallInProgress read(Executor executor, long since, long now) {
        Thread thread = executor.turnThread().thread();
        ThreadInfo info = thread == null ? null : threads.getThreadInfo(thread.getId(), MOST_FRAMES);
        int task = executor.taskInCall();
        if (info == null || executor.turnThread().since() != since) {
            return null;
        }
        StackTraceElement[] stack = info.getStackTrace();
        return new CallInProgress(
                executor.component().id(),
                task,
                CalledMethod.on(stack),
                now - since,
                info.getThreadName(),
                activity(executor.component(), info),
                isDeadlocked(info),
                Arrays.stream(stack).map(StackTraceElement::toString).collect(Collectors.toUnmodifiableList()));
    }

    private String activity(ComponentPlan component, ThreadInfo info) {
        return CalledMethod.waitingForRoom(info.getStackTrace())
                .map(method -> "waiting for room in " + method + backPressureOn(component))
                .orElseGet(() -> activity(info));
    }

    private String backPressureOn(ComponentPlan component) {
        String receivers = component.outputs().stream()
                .flatMap(stream -> stream.subscriptions().stream())
                .map(SubscriptionPlan::targetComponentId)
                .distinct()
                .filter(congested)
                .collect(Collectors.joining(" and "));
        return receivers.isEmpty() ? "" : ", back-pressure from " + receivers;
    }

    private static String activity(ThreadInfo info) {
        StackTraceElement[] stack = info.getStackTrace();
        boolean inSleep = stack.length > 0 && stack[0].getMethodName().startsWith("sleep");
        if (inSleep && info.getThreadState() == Thread.State.TIMED_WAITING) {
            return "sleeping";
        }
        if (info.getLockInfo() != null) {
            String holder = info.getLockOwnerName() == null ? "" : " held by '" + info.getLockOwnerName() + "'";
            return "waiting for " + info.getLockInfo() + holder;
        }
        return info.getThreadState() == Thread.State.RUNNABLE ? "running" : "waiting";
    }

    /** Searches for deadlocks only if the thread waits for a thread, because the search stops all threads for a moment. */
    private boolean isDeadlocked(ThreadInfo info) {
        if (info.getLockOwnerId() < 0) {
            return false;
        }
        long[] deadlocked = threads.findDeadlockedThreads();
        return deadlocked != null && Arrays.stream(deadlocked).anyMatch(id -> id == info.getThreadId());
    }
}
