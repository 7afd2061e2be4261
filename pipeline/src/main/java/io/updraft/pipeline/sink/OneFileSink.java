package io.updraft.pipeline.sink;

import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All windows in one file, each added at its end. A window that is written again is added again: the last of its rows count.
 *
 * <p>If it is to be resumed, a {@link FileCommit} beside it says how long it was when it was last flushed, and up to where the
 * source was done by then. What lies beyond that length after a crash is cut off, and the source goes on from there, so that each
 * window is there as often as without the crash. Only one process can write a file.
 */
final class OneFileSink implements CommittingSink {

    private final FileFormat format;
    private final Path path;
    private final boolean resume;

    private RowText text;
    private FileChannel file;
    private String columns;
    private Map<String, Commit> commits = new HashMap<>();
    private long flushed;

    OneFileSink(FileSinkOptions options) {
        this.format = options.format();
        this.path = new FileNames(options.path()).path(null, null);
        this.resume = options.resume();
    }

    @Override
    public void open(Schema schema, int dimensions) throws SinkException {
        text = RowText.of(format, schema);
        columns = schema.fields().toString();
        try {
            Disk.folder(path);
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock();
            FileCommit last = resume ? FileCommit.read(path) : null;
            if (last == null) {
                begin();
            } else {
                goOn(last);
            }
        } catch (IOException e) {
            throw FileTrouble.cannotWrite(path, e);
        }
    }

    private void lock() throws IOException, SinkException {
        boolean locked;
        try {
            locked = file.tryLock() != null;
        } catch (OverlappingFileLockException ours) {
            locked = false;
        }
        if (!locked) {
            throw SinkException.lasting(
                    "cannot write " + path
                            + ": another process or sink is writing it; with several processes give each window and"
                            + " unit a file of its own, by {window_start} in the name",
                    null);
        }
    }

    private void begin() throws IOException, SinkException {
        if (resume && file.size() > 0) {
            throw SinkException.lasting(
                    "cannot resume " + path + ": nothing says up to where it was written, " + FileCommit.file(path)
                            + " is missing; move the file away, or write it anew without resume",
                    null);
        }
        Files.deleteIfExists(FileCommit.file(path));
        commits = new HashMap<>();
        Utf8 header = new Utf8();
        text.header(header);
        file.truncate(0);
        file.position(0);
        header.writeTo(Channels.newOutputStream(file));
        flushed = 0;
        flush(List.of());
    }

    private void goOn(FileCommit last) throws IOException, SinkException {
        if (!last.columns().equals(columns)) {
            throw SinkException.lasting(
                    "cannot resume " + path + ": its columns are " + last.columns() + ", the results' are " + columns
                            + "; move it away, or write it anew without resume",
                    null);
        }
        if (file.size() < last.length()) {
            throw SinkException.lasting(
                    "cannot resume " + path + ": it has " + file.size() + " bytes, and had " + last.length()
                            + " when it was last flushed; somebody has cut it",
                    null);
        }
        commits = new HashMap<>(last.commits());
        flushed = last.length();
        takeBack(flushed);
    }

    @Override
    public boolean keepsCommits() {
        return resume;
    }

    @Override
    public Map<String, Commit> readCommits() {
        return Map.copyOf(commits);
    }

    @Override
    public void write(WindowResult result, String unit) throws SinkException {
        long before = -1;
        try {
            before = file.position();
            // Not closed: that would close the channel.
            BufferedOutputStream out = new BufferedOutputStream(Channels.newOutputStream(file), 1 << 16);
            WindowFilesSink.writeRows(result, text, new Utf8(), out);
            out.flush();
        } catch (IOException e) {
            SinkException failure = FileTrouble.cannotWrite(path, e);
            takeBackAfter(failure, before);
            throw failure;
        }
    }

    @Override
    public boolean flush(List<Commit> done) throws SinkException {
        try {
            file.force(true);
            if (resume) {
                Map<String, Commit> next = new HashMap<>(commits);
                done.forEach(commit -> next.put(commit.unit(), commit));
                new FileCommit(file.position(), columns, next).write(path);
                commits = next;
            }
            flushed = file.position();
            return false;
        } catch (IOException e) {
            SinkException failure = FileTrouble.cannotWrite(path, e);
            takeBackAfter(failure, flushed);
            throw failure;
        }
    }

    private void takeBackAfter(SinkException failure, long length) {
        try {
            takeBack(length < 0 ? flushed : length);
        } catch (IOException again) {
            failure.addSuppressed(again);
        }
    }

    private void takeBack(long length) throws IOException {
        file.truncate(length);
        file.position(length);
    }

    @Override
    public void close() {
        try {
            if (file != null && file.isOpen()) {
                takeBack(flushed);
                file.close();
            }
        } catch (IOException e) {
            // What was not flushed is lost anyway, or is cut off when it is resumed.
        }
    }
}
