package io.updraft.observe.profile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/** Records with the JDK's Flight Recorder. */
final class FlightRecording implements StackRecording {
    private static final Duration PERIOD = Duration.ofMillis(10);
    private static final Duration SHORTEST_WAIT = Duration.ofNanos(10_000);
    private static final String CPU = "jdk.ExecutionSample";
    private static final String ALLOCATION = "jdk.ObjectAllocationSample";
    private static final String MONITOR = "jdk.JavaMonitorEnter";
    private static final String PARK = "jdk.ThreadPark";

    private final Recording recording = new Recording();

    private FlightRecording() {}

    /**
     * Starts to record.
     *
     * @throws IOException when it cannot record the event; the message is the reason
     */
    static FlightRecording start(ProfileEvent event) throws IOException {
        if (event == ProfileEvent.WALL) {
            throw new IOException("Flight Recorder cannot sample waiting threads");
        }
        if (!FlightRecorder.isAvailable()) {
            throw new IOException("Flight Recorder is not available");
        }
        FlightRecording started = new FlightRecording();
        try {
            started.enable(event);
            started.recording.start();
        } catch (RuntimeException e) {
            started.close();
            throw new IOException("Flight Recorder cannot start: " + e.getMessage(), e);
        }
        return started;
    }

    private void enable(ProfileEvent event) {
        switch (event) {
            case CPU -> recording.enable(CPU).withPeriod(PERIOD).withStackTrace();
            case ALLOC ->
                recording.enable(ALLOCATION).with("throttle", "1000/s").withStackTrace();
            default ->
                List.of(MONITOR, PARK)
                        .forEach(name -> recording
                                .enable(name)
                                .withThreshold(SHORTEST_WAIT)
                                .withStackTrace());
        }
    }

    @Override
    public String tool() {
        return "Flight Recorder";
    }

    @Override
    public SampledStacks stacks() throws IOException {
        recording.stop();
        Path directory = NativeLibrary.createDirectory();
        Path file = directory.resolve("recording.jfr");
        try {
            recording.dump(file);
            return read(file);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }

    private static SampledStacks read(Path file) throws IOException {
        SampledStacks stacks = new SampledStacks();
        try (RecordingFile events = new RecordingFile(file)) {
            while (events.hasMoreEvents()) {
                RecordedEvent event = events.readEvent();
                long number = number(event);
                if (number > 0 && event.getStackTrace() != null) {
                    stacks.add(stack(event), number);
                }
            }
        }
        return stacks;
    }

    private static long number(RecordedEvent event) {
        return switch (event.getEventType().getName()) {
            case CPU -> 1;
            case ALLOCATION -> event.getLong("weight");
            case MONITOR -> event.getDuration().toNanos();
            // A thread without a blocker waits for work, not for a lock.
            case PARK ->
                event.getClass("parkedClass") == null ? 0 : event.getDuration().toNanos();
            default -> 0;
        };
    }

    private static String stack(RecordedEvent event) {
        List<RecordedFrame> frames = event.getStackTrace().getFrames();
        StringBuilder stack = new StringBuilder();
        for (int i = frames.size() - 1; i >= 0; i--) {
            RecordedFrame frame = frames.get(i);
            String type = frame.getMethod().getType().getName().replace('.', '/');
            String mark = "Interpreted".equals(frame.getType()) ? "_[0]" : "_[j]";
            stack.append(type).append('.').append(frame.getMethod().getName()).append(mark);
            stack.append(i > 0 ? ";" : "");
        }
        if (event.getEventType().getName().equals(ALLOCATION)) {
            stack.append(';').append(event.getClass("objectClass").getName()).append("_[i]");
        }
        return stack.toString();
    }

    @Override
    public void writeJfr(Path file) throws IOException {
        recording.stop();
        recording.dump(file);
    }

    @Override
    public void close() {
        recording.close();
    }
}
