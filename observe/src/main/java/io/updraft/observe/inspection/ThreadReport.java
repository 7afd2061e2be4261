package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import io.updraft.engine.snapshot.RunningCode;
import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reports the threads of this process as JSON: state, stack, the lock that a thread waits for, and deadlocks. */
final class ThreadReport {
    private static final int MAX_FRAMES = 200;

    private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    private final ThreadOwners owners;

    ThreadReport(ThreadOwners owners) {
        this.owners = owners;
    }

    JsonObject take() {
        ThreadInfo[] infos = bean.dumpAllThreads(true, true, MAX_FRAMES);
        Map<Long, RunningCode> components = components(infos);
        List<Object> threads = new ArrayList<>();
        for (ThreadInfo info : infos) {
            if (info.getThreadId() != Thread.currentThread().getId()) {
                threads.add(describe(info, components.get(info.getThreadId())));
            }
        }
        return JsonObject.of("deadlocked", deadlocked()).with("threads", threads);
    }

    private Map<Long, RunningCode> components(ThreadInfo[] infos) {
        Map<Long, Thread> byId = new HashMap<>();
        Thread.getAllStackTraces().keySet().forEach(thread -> byId.put(thread.getId(), thread));
        Map<Thread, StackTraceElement[]> stacks = new HashMap<>();
        for (ThreadInfo info : infos) {
            Thread thread = byId.get(info.getThreadId());
            if (thread != null) {
                stacks.put(thread, info.getStackTrace());
            }
        }
        Map<Long, RunningCode> components = new HashMap<>();
        owners.codeOf(stacks).forEach((thread, component) -> components.put(thread.getId(), component));
        return components;
    }

    private List<Object> deadlocked() {
        long[] ids = bean.findDeadlockedThreads();
        List<Object> all = new ArrayList<>();
        for (long id : ids == null ? new long[0] : ids) {
            all.add(id);
        }
        return all;
    }

    private static JsonObject describe(ThreadInfo info, RunningCode code) {
        JsonObject thread = JsonObject.of("id", info.getThreadId())
                .with("name", info.getThreadName())
                .with("component", code == null ? null : code.component());
        if (code != null && code.nanos() > 0) {
            thread.put("task", code.task());
            thread.put("method", code.method());
            thread.put("seconds", code.nanos() / 1e9);
        }
        thread.put("state", info.getThreadState().name());
        LockInfo lock = info.getLockInfo();
        thread.put("waitsFor", lock == null ? null : lock.toString());
        thread.put("heldBy", info.getLockOwnerName());
        thread.put("heldById", info.getLockOwnerId() < 0 ? null : info.getLockOwnerId());
        thread.put("native", info.isInNative());
        thread.put("stack", stack(info));
        return thread;
    }

    private static List<String> stack(ThreadInfo info) {
        List<String> lines = new ArrayList<>();
        StackTraceElement[] stack = info.getStackTrace();
        for (int depth = 0; depth < stack.length; depth++) {
            lines.add("at " + text(stack[depth]));
            for (MonitorInfo monitor : info.getLockedMonitors()) {
                if (monitor.getLockedStackDepth() == depth) {
                    lines.add("- locked " + monitor);
                }
            }
        }
        Stream.of(info.getLockedSynchronizers()).forEach(held -> lines.add("- holds " + held));
        return lines;
    }

    // Without the names of modules and class loaders.
    private static String text(StackTraceElement frame) {
        String place = frame.isNativeMethod()
                ? "native method"
                : frame.getFileName() == null ? "unknown source" : frame.getFileName() + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
    }
}
