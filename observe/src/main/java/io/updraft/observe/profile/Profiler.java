package io.updraft.observe.profile;

import io.updraft.base.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Takes profiles of this process, one at a time. Nothing is loaded before the first. */
public final class Profiler {
    private static final Semaphore FREE = new Semaphore(1);
    private static final long LOOK_MILLIS = 100;

    /** The longest wait for a file that is written when the process ends. */
    private static final long LAST_FILE_SECONDS = 10;

    private static volatile boolean ending;

    private Profiler() {}

    /**
     * Takes a profile and writes its file. Returns at the end of the profile.
     *
     * @param order says which profile
     * @param isWanted tells whether somebody still waits for it; asked often
     * @return members of an answer: {@code file}, null if nothing was seen; {@code tool}; {@code fallback}, the reason for a tool
     *     that is not the first choice, or null; {@code total} and {@code own}, numbers in the unit {@code unit}, -1 if unknown;
     *     {@code endedAfterMillis}, the length of a profile that has ended with its process, else null
     * @throws IOException when there can be no profile; the message is one line
     * @throws InterruptedException when the calling thread is interrupted
     */
    public static JsonObject profile(ProfileOrder order, BooleanSupplier isWanted)
            throws IOException, InterruptedException {
        order.check();
        if (!FREE.tryAcquire()) {
            throw new IOException("a profile of this process is taken already; try again when it is done");
        }
        try {
            return take(order, isWanted);
        } finally {
            FREE.release();
        }
    }

    /** Ends the profile that is being taken, if there is one, since the process ends. Waits until its file is written. */
    public static void finish() {
        ending = true;
        try {
            if (FREE.tryAcquire(LAST_FILE_SECONDS, TimeUnit.SECONDS)) {
                FREE.release();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            ending = false;
        }
    }

    private static JsonObject take(ProfileOrder order, BooleanSupplier isWanted)
            throws IOException, InterruptedException {
        String fallback = null;
        StackRecording started;
        try {
            started = NativeRecording.start(order.event(), order.format() == ProfileFormat.JFR);
        } catch (IOException e) {
            fallback = "async-profiler cannot be used: " + e.getMessage();
            started = startFlightRecorder(order.event(), fallback);
        }
        try (StackRecording recording = started) {
            JsonObject answer = JsonObject.of("tool", recording.tool()).with("fallback", fallback);
            answer.put("endedAfterMillis", await(order, isWanted));
            write(order, recording, answer);
            return answer;
        }
    }

    private static StackRecording startFlightRecorder(ProfileEvent event, String fallback) throws IOException {
        try {
            return FlightRecording.start(event);
        } catch (NoClassDefFoundError e) {
            throw new IOException(fallback + "; this Java has no Flight Recorder (module jdk.jfr)", e);
        } catch (IOException e) {
            throw new IOException(fallback + "; " + e.getMessage(), e);
        }
    }

    /** Waits for the end of the profile. {@return its length, milliseconds, if it has ended with its process; else null} */
    private static Long await(ProfileOrder order, BooleanSupplier isWanted) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long end = begin + order.time().toNanos();
        for (long left = order.time().toNanos(); left > 0; left = end - System.nanoTime()) {
            if (ending) {
                return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
            }
            if (!isWanted.getAsBoolean()) {
                throw new IOException("the profile was given up: its client is gone");
            }
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS)));
        }
        return null;
    }

    private static void write(ProfileOrder order, StackRecording recording, JsonObject answer) throws IOException {
        Path file = order.file();
        answer.put("unit", order.event().unit());
        if (order.format() == ProfileFormat.JFR) {
            recording.writeJfr(file);
            answer.put("file", file.toString());
            answer.put("total", -1L);
            answer.put("own", -1L);
            return;
        }
        SampledStacks all = recording.stacks();
        SampledStacks stacks = order.component() == null ? all : all.of(order.classes());
        answer.put("file", stacks.total() == 0 ? null : file.toString());
        answer.put("total", all.total());
        answer.put("own", stacks.total());
        if (stacks.total() > 0) {
            write(stacks, order);
        }
    }

    private static void write(SampledStacks stacks, ProfileOrder order) throws IOException {
        String title = order.event().label() + " (" + order.event().unit() + ")"
                + (order.component() == null ? "" : ", component " + order.component());
        OutputStream out = Files.newOutputStream(order.file(), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (out) {
            stacks.write(order.format(), title, out);
        } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(order.file());
            throw e;
        }
    }
}
