package io.updraft.observe.death;

import io.updraft.engine.api.ComponentCounts;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.engine.snapshot.RunningCode;
import io.updraft.observe.death.CapsuleHistory.Sample;
import io.updraft.observe.heap.HeldField;
import io.updraft.observe.heap.HeldMemory;
import io.updraft.observe.process.HeapHolder;
import io.updraft.observe.process.LongestQueue;
import java.io.IOException;
import java.io.Writer;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.management.JMException;

/**
 * The text of a capsule. The most important line is the first one; the sections follow in the order of what they cost, so that a
 * capsule which is cut off lacks the least.
 */
final class CapsuleText {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss zzz");
    private static final int CLASSES = 30;
    private static final int FIELDS = 5;
    private static final int INSTANCES = 20;
    private static final int MINUTE = 60;
    private static final int TEN_MINUTES = 600;

    private final String process;
    private final String place;
    private final Throwable error;
    private final CapsuleHistory history;
    private final Sample now;
    private final List<HeldMemory> held = new ArrayList<>();
    private OutOfMemoryError lookFailure;

    /** Looks at the heap, which takes some two seconds at most. */
    CapsuleText(String process, String place, Throwable error, CapsuleHistory history) {
        this.process = process;
        this.place = place;
        this.error = error;
        this.history = history;
        this.now = Sample.take();
        look();
    }

    /** Without memory for a look, what an earlier one has found is still known. */
    private void look() {
        try {
            HeapLook look = HeapLook.take();
            held.addAll(look.held());
            HeapHolder found = look.holder(now.heapUsed());
            if (found != null) {
                HeapWatch.found(found);
            }
        } catch (OutOfMemoryError e) {
            lookFailure = e;
        }
    }

    /** {@return what died, when, the heap, and who has grown most, on one line} */
    String headline() {
        return process + " ran out of memory at " + ZonedDateTime.now().format(TIME) + " (" + error.getMessage()
                + "), heap " + HeapHolder.size(now.heapUsed()) + " of "
                + HeapHolder.size(Runtime.getRuntime().maxMemory()) + "; " + cause();
    }

    /** {@return who has filled the heap, as far as can be told} */
    String cause() {
        String message = String.valueOf(error.getMessage());
        if (message.contains("direct buffer memory") || message.contains("native thread")) {
            return "the heap is not full: " + message + queues();
        }
        HeapHolder holder = HeapWatch.lastHolder();
        if (holder != null) {
            return "leaking: " + HeapHolder.size(holder.bytes()) + " of " + HeapHolder.size(now.heapUsed())
                    + " are held by " + holder.describe();
        }
        return "no component's fields hold much of it" + queues();
    }

    private String queues() {
        LongestQueue longest = LongestQueue.NONE;
        for (Map.Entry<String, List<ComponentCounts>> topology :
                now.topologies().entrySet()) {
            for (ComponentCounts counts : topology.getValue()) {
                longest = longest.or(counts.component(), counts.queued());
            }
        }
        return longest.describe();
    }

    /** Writes all. {@code looked} is called when only what needs no full heap is left, so that memory can be released. */
    void writeTo(Writer out, Runnable looked) throws IOException {
        line(out, headline());
        line(out, "in " + place + ": " + error);
        for (StackTraceElement frame : error.getStackTrace()) {
            line(out, "    at " + frame);
        }
        section(out, "HEAP, with garbage", this::heap);
        section(out, "HELD BY COMPONENTS: estimates; what tasks share counts once", this::components);
        section(out, "QUEUES AND RATES", this::queuesAndRates);
        section(out, "CLASSES: the largest in the heap, with garbage", this::classes);
        looked.run();
        section(out, "THREADS", this::threads);
    }

    /** Writes what needs no histogram to nowhere, which loads classes. */
    void preload() throws IOException {
        headline();
        Writer nowhere = Writer.nullWriter();
        section(nowhere, "", this::heap);
        section(nowhere, "", this::components);
        section(nowhere, "", this::queuesAndRates);
        section(nowhere, "", this::threads);
    }

    @FunctionalInterface
    private interface Section {
        void write(Writer out) throws IOException, JMException;
    }

    /** A section that fails leaves its reason; a disk that cannot be written to ends the capsule. */
    private static void section(Writer out, String title, Section section) throws IOException {
        line(out, "");
        line(out, title);
        try {
            section.write(out);
        } catch (JMException | RuntimeException | OutOfMemoryError e) {
            line(out, "    not available: " + e);
        }
        out.flush();
    }

    private void heap(Writer out) throws IOException {
        line(
                out,
                "    now " + HeapHolder.size(now.heapUsed()) + " of "
                        + HeapHolder.size(Runtime.getRuntime().maxMemory()));
        for (int seconds : new int[] {MINUTE, TEN_MINUTES}) {
            Sample earlier = history.before(now.nanos(), seconds);
            if (earlier != null) {
                line(
                        out,
                        "    " + Math.round(now.secondsSince(earlier)) + " s ago "
                                + HeapHolder.size(earlier.heapUsed()));
            }
        }
    }

    private void components(Writer out) throws IOException {
        for (HeldMemory instance : held.subList(0, Math.min(INSTANCES, held.size()))) {
            line(
                    out,
                    "    " + HeapHolder.size(instance.bytes()) + "  component '" + instance.component() + "' (task "
                            + instance.task() + "), " + instance.type());
            for (HeldField field : instance.fields()
                    .subList(0, Math.min(FIELDS, instance.fields().size()))) {
                line(out, "        " + HeapHolder.size(field.bytes()) + "  " + HeapLook.describe(field));
            }
        }
        if (lookFailure != null) {
            line(out, "    not available: " + lookFailure);
        } else if (held.isEmpty()) {
            line(out, "    no component has an instance in this process");
        }
    }

    private void queuesAndRates(Writer out) throws IOException {
        Sample minute = history.before(now.nanos(), MINUTE);
        Sample last = history.before(now.nanos(), 1);
        String since = minute == null ? "-" : Math.round(now.secondsSince(minute)) + "s";
        line(
                out,
                String.format(
                        "    %-24s %10s %10s %10s %10s %12s %12s",
                        "component", "queued", "-" + since, "in flight", "-" + since, "executed/s", "emitted/s"));
        for (Map.Entry<String, List<ComponentCounts>> topology :
                now.topologies().entrySet()) {
            for (ComponentCounts counts : topology.getValue()) {
                ComponentCounts earlier = minute == null ? counts : minute.of(topology.getKey(), counts.component());
                line(out, row(counts, earlier, rates(topology.getKey(), counts, last)));
            }
        }
    }

    private static String row(ComponentCounts counts, ComponentCounts earlier, double[] rates) {
        return String.format(
                Locale.ROOT,
                "    %-24s %10d %10d %10d %10d %12.0f %12.0f",
                counts.component(),
                counts.queued(),
                earlier.queued(),
                counts.inFlight(),
                earlier.inFlight(),
                rates[0],
                rates[1]);
    }

    /** Returns the tuples executed and emitted in a second. */
    private double[] rates(String topology, ComponentCounts counts, Sample last) {
        if (last == null) {
            return new double[2];
        }
        ComponentCounts before = last.of(topology, counts.component());
        double seconds = Math.max(1, now.secondsSince(last));
        return new double[] {
            (counts.executed() - before.executed()) / seconds, (counts.emitted() - before.emitted()) / seconds
        };
    }

    private void threads(Writer out) throws IOException {
        Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
        Map<Thread, RunningCode> code = new HashMap<>();
        MemoryWatch.engines().forEach(engine -> code.putAll(engine.codeOf(stacks)));
        List<Thread> order = new ArrayList<>(stacks.keySet());
        order.sort(Comparator.comparing((Thread thread) -> !code.containsKey(thread))
                .thenComparing(Thread::getName));
        for (Thread thread : order) {
            RunningCode running = code.get(thread);
            line(
                    out,
                    "    '" + thread.getName() + "' " + thread.getState()
                            + (running == null ? "" : ", component '" + running.component() + "'"));
            for (StackTraceElement frame : stacks.get(thread)) {
                line(out, "        at " + frame);
            }
        }
    }

    private void classes(Writer out) throws IOException, JMException {
        for (String text : ClassHistogram.largest(CLASSES)) {
            line(out, "    " + text);
        }
    }

    private static void line(Writer out, String text) throws IOException {
        out.write(text);
        out.write('\n');
    }
}
