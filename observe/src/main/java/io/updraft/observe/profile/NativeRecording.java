package io.updraft.observe.profile;

import io.updraft.base.text.OneLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import one.profiler.AsyncProfiler;

/** Records with async-profiler. */
final class NativeRecording implements StackRecording {
    private final AsyncProfiler profiler;
    private final String event;
    private final Path directory;
    private final boolean countsSamples;
    private boolean records = true;

    private NativeRecording(AsyncProfiler profiler, String event, Path directory, boolean countsSamples) {
        this.profiler = profiler;
        this.event = event;
        this.directory = directory;
        this.countsSamples = countsSamples;
    }

    /**
     * Starts to record.
     *
     * @throws IOException when the library cannot be loaded or cannot record the event; the message is the reason
     */
    static NativeRecording start(ProfileEvent event, boolean jfr) throws IOException {
        AsyncProfiler profiler = NativeLibrary.load();
        Path directory = jfr ? NativeLibrary.createDirectory() : null;
        if (jfr) {
            // The run may end before the recording. Files are deleted in the reverse order.
            directory.toFile().deleteOnExit();
            recording(directory).toFile().deleteOnExit();
        }
        IOException first = null;
        for (String name : event.nativeEvents()) {
            try {
                profiler.execute("start,event=" + name + (jfr ? ",jfr,file=" + recording(directory) : ""));
                return new NativeRecording(profiler, name, directory, event.countsSamples());
            } catch (IOException | RuntimeException e) {
                IOException reason = new IOException(OneLine.of(e), e);
                first = first == null ? reason : first;
            }
        }
        remove(directory);
        throw first;
    }

    private static Path recording(Path directory) {
        return directory.resolve("recording.jfr");
    }

    @Override
    public String tool() {
        return "async-profiler " + profiler.getVersion() + ", event " + event;
    }

    @Override
    public SampledStacks stacks() throws IOException {
        stop();
        return SampledStacks.parse(profiler.execute("collapsed,ann" + (countsSamples ? "" : ",total")));
    }

    @Override
    public void writeJfr(Path file) throws IOException {
        stop();
        Files.copy(recording(directory), file);
    }

    private void stop() {
        if (records) {
            records = false;
            profiler.stop();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            stop();
        } finally {
            remove(directory);
        }
    }

    private static void remove(Path directory) throws IOException {
        if (directory != null) {
            Files.deleteIfExists(recording(directory));
            Files.deleteIfExists(directory);
        }
    }
}
