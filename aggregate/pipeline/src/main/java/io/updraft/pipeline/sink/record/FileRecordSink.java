package io.updraft.pipeline.sink.record;

import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.sink.file.FileFailure;
import io.updraft.pipeline.text.JsonText;
import io.updraft.pipeline.text.Utf8Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Deque;

/**
 * Writes late records or dead letters to files of bounded size. Any thread may call it; one at a time writes. Lines wait in
 * memory until they are written, for as long as the disk is full.
 */
final class FileRecordSink extends CountedRecordSink {

    /** Lines of this total size are written without a flush. */
    private static final int BLOCK = 1 << 18;

    private final Path path;
    private final RotatedFile file;
    private final Deque<byte[]> lines = new ArrayDeque<>();
    private final Utf8Buffer block = new Utf8Buffer();
    private long nextWrite = BLOCK;
    private volatile long waiting;

    FileRecordSink(RecordSinkOptions.Lines options) {
        super(options.path().toString());
        path = options.path();
        file = new RotatedFile(path, options.files(), options.maxBytes() / options.files());
    }

    @Override
    public synchronized void accept(String unit, long position, String reason, byte[] bytes, int from, int length) {
        Utf8Buffer line = new Utf8Buffer();
        write(unit, position, reason, bytes, from, length, line);
        if (line.length() > file.maxBytes()) {
            drop(1, new IOException("a record of " + length + " bytes does not fit into a file"));
            return;
        }
        lines.addLast(line.toArray());
        waiting += line.length();
        if (waiting >= nextWrite) {
            writeAhead();
        }
    }

    private static void write(
            String unit, long position, String reason, byte[] bytes, int from, int length, Utf8Buffer out) {
        out.add("{\"unit\":");
        JsonText.string(unit, out);
        out.add(",\"position\":").add(Long.toString(position)).add(",\"reason\":");
        JsonText.string(reason, out);
        if (isText(bytes, from, length)) {
            out.add(",\"record\":");
            JsonText.string(bytes, from, length, out);
        } else {
            byte[] record = Arrays.copyOfRange(bytes, from, from + length);
            out.add(",\"base64\":\"")
                    .add(Base64.getEncoder().encodeToString(record))
                    .add('"');
        }
        out.add('}').add('\n');
    }

    private static boolean isText(byte[] bytes, int from, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    /** Writes before the flush; the flush reports a failure. */
    private void writeAhead() {
        try {
            writeOut();
        } catch (IOException e) {
            // The lines wait in memory.
        }
        nextWrite = waiting + BLOCK;
    }

    private void writeOut() throws IOException {
        if (lines.isEmpty()) {
            return;
        }
        try (RotatedFile.Lock held = file.lock()) {
            while (!lines.isEmpty()) {
                int count = fillBlock(held.room());
                if (count == 0) {
                    held.rotate();
                } else {
                    held.add(block);
                    written(count);
                }
            }
        }
    }

    /** Fills the block with as many lines as fit, up to about {@link #BLOCK} bytes; returns how many. */
    private int fillBlock(long room) {
        block.clear();
        int count = 0;
        for (byte[] line : lines) {
            if (block.length() + line.length > room || block.length() >= BLOCK) {
                break;
            }
            block.add(line, 0, line.length);
            count++;
        }
        return count;
    }

    private void written(int count) {
        for (int i = 0; i < count; i++) {
            waiting -= lines.removeFirst().length;
        }
    }

    @Override
    public void flush() throws SinkException {
        try {
            synchronized (this) {
                writeOut();
                nextWrite = BLOCK;
            }
            file.sync();
        } catch (IOException e) {
            SinkException failure = FileFailure.cannotWrite(path, e);
            if (failure.isTransient()) {
                throw failure;
            }
            giveUp(e);
        }
    }

    private synchronized void giveUp(IOException cause) {
        drop(lines.size(), cause);
        written(lines.size());
    }

    @Override
    public long waiting() {
        return waiting;
    }

    @Override
    public void close() {
        try {
            flush();
        } catch (SinkException e) {
            giveUp(new IOException(e.getMessage(), e));
        }
    }
}
