package io.updraft.engine.failure;

import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.snapshot.DeadLetter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.apache.storm.shade.net.minidev.json.JSONValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Appends dead letters to a file, one JSON object a line. May be called from any thread. */
public final class DeadLetterFile implements Consumer<DeadLetter>, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetterFile.class);

    private final Path path;
    private final FileChannel channel;

    public DeadLetterFile(String name) {
        path = Path.of(name);
        try {
            channel = FileChannel.open(
                    path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new InvalidTopology(
                    EngineSettings.DEAD_LETTER_FILE + ": cannot write '" + name + "': " + e.getMessage(), e);
        }
    }

    @Override
    public void accept(DeadLetter letter) {
        append(JSONValue.toJSONString(letter.message()) + "\n");
    }

    private synchronized void append(String line) {
        try {
            long end = channel.size();
            ByteBuffer bytes = ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8));
            try {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            } catch (IOException e) {
                // No line is better than a partial line.
                channel.truncate(end);
                throw e;
            }
        } catch (IOException e) {
            LOG.error("cannot write dead letter to {}: {}", path, line.trim(), e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("cannot close {}", path, e);
        }
    }
}
