package io.updraft.pipeline.sink;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Records that are put aside, in files of bounded size. Any thread; one at a time writes. */
final class LinesRecordSink implements RecordSink {

    private static final int BLOCK = 1 << 16;

    private final Path path;
    private final int files;
    private final long maxFileBytes;
    private final RecordCounts counts = new RecordCounts();
    private final Utf8 buffer = new Utf8();

    private FileChannel file;
    private long size;
    private long buffered;

    LinesRecordSink(RecordSinkOptions.Lines options) {
        this.path = options.path();
        this.files = options.files();
        this.maxFileBytes = options.maxBytes() / options.files();
    }

    @Override
    public synchronized void accept(String unit, long position, String reason, byte[] bytes, int from, int length) {
        counts.accept();
        Utf8 line = new Utf8();
        RecordJson.line(unit, position, reason, bytes, from, length, line);
        if (line.length() > maxFileBytes) {
            counts.drop(
                    path.toString(), new IOException("a record of " + length + " bytes is larger than a file may be"));
            return;
        }
        if (size + buffer.length() + line.length() > maxFileBytes) {
            writeOut();
            rotate();
        }
        byte[] text = line.toArray();
        buffer.add(text, 0, text.length);
        buffered++;
        if (buffer.length() >= BLOCK) {
            writeOut();
        }
    }

    private void writeOut() {
        if (buffer.length() == 0) {
            return;
        }
        try {
            open();
            OutputStream out = Channels.newOutputStream(file);
            buffer.writeTo(out);
            size += buffer.length();
        } catch (IOException e) {
            counts.lose(buffered);
            counts.trouble(path.toString(), e);
            cutBack();
        }
        buffer.clear();
        buffered = 0;
    }

    private void open() throws IOException {
        if (file == null) {
            Disk.folder(path);
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            size = file.size();
            file.position(size);
            if (size >= maxFileBytes) {
                rotate();
                open();
            }
        }
    }

    /** Takes half a line away that a full disk has left. */
    private void cutBack() {
        try {
            if (file != null) {
                file.truncate(size);
                file.position(size);
            }
        } catch (IOException e) {
            counts.trouble(path.toString(), e);
        }
    }

    /** The file becomes the first of the older ones, each of these the next, and the last goes. */
    private void rotate() {
        try {
            shut();
            for (int i = files - 2; i >= 0; i--) {
                Path from = numbered(i);
                if (Files.exists(from)) {
                    Files.move(from, numbered(i + 1), StandardCopyOption.REPLACE_EXISTING);
                }
            }
            if (files == 1) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            counts.trouble(path.toString(), e);
        }
        size = 0;
    }

    private Path numbered(int i) {
        return i == 0 ? path : path.resolveSibling(path.getFileName() + "." + i);
    }

    private void shut() throws IOException {
        if (file != null) {
            file.close();
            file = null;
        }
    }

    @Override
    public synchronized void flush() {
        writeOut();
        try {
            if (file != null) {
                file.force(false);
            }
        } catch (IOException e) {
            counts.trouble(path.toString(), e);
        }
    }

    @Override
    public long accepted() {
        return counts.accepted();
    }

    @Override
    public long dropped() {
        return counts.dropped();
    }

    @Override
    public synchronized void close() {
        flush();
        try {
            shut();
        } catch (IOException e) {
            counts.trouble(path.toString(), e);
        }
    }
}
