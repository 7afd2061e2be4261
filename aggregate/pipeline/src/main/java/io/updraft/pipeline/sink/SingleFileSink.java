package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ProcessedRanges;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.ResultFormat;
import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Appends all windows to one file. A window that is written again is appended again: its last rows count.
 *
 * <p>Unless each run replaces the file, a {@link FileCommit} beside it stores its length and the positions of the source at the
 * last flush. After a crash, bytes beyond that length are cut off. A source of files continues from these positions, so that
 * each window is in the file as often as without the crash. Only one process can write a file.
 */
final class SingleFileSink implements ResultSink {

    private final ResultFormat format;
    private final Path path;
    private final boolean replaces;

    private RowText text;
    private FileChannel file;
    private String columns;
    private Map<String, PartitionPosition> commits = new HashMap<>();
    private long flushed;

    SingleFileSink(FileSinkOptions options) {
        this.format = options.format();
        this.path = new FileNameTemplate(options.path()).path(null, null);
        this.replaces = options.replaces();
    }

    @Override
    public String where() {
        return path.toString();
    }

    @Override
    public void open(Schema schema, int dimensions) throws SinkException {
        text = RowText.of(format, schema);
        columns = schema.fields().toString();
        try {
            DurableFiles.folder(path);
            if (Files.exists(path) && !Files.isRegularFile(path)) {
                throw SinkException.lasting("cannot write " + path
                        + ": not a regular file; for a pipe or a device use the sink 'stdout' and redirect"
                        + " standard output");
            }
            FileCommit last = replaces ? null : FileCommit.read(path);
            boolean isMoved = last != null && !Files.exists(path);
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            lock();
            open(isMoved ? new FileCommit(0, columns, last.commits()) : last);
        } catch (IOException | SinkException e) {
            closeFile();
            throw e instanceof SinkException known ? known : DurableFiles.cannotWrite(path, (IOException) e);
        }
    }

    private void lock() throws IOException, SinkException {
        if (!DurableFiles.tryLock(file)) {
            throw SinkException.lasting("cannot write " + path
                    + ": another process or sink is writing it; for several processes give each window and"
                    + " share its own file, with {window_start} in the name");
        }
    }

    private void open(FileCommit last) throws IOException, SinkException {
        if (last != null && last.length() > 0) {
            resume(last);
        } else if (last == null && !replaces && file.size() > 0) {
            throw cannotAppend(
                    "the length at its last flush is unknown, since " + FileCommit.file(path) + " is missing", "");
        } else {
            begin(last == null ? Map.of() : last.commits());
        }
    }

    private void begin(Map<String, PartitionPosition> kept) throws IOException {
        commits = new HashMap<>(kept);
        flushed = 0;
        if (replaces) {
            Files.deleteIfExists(FileCommit.file(path));
        } else {
            // Written before the first byte, so that the next run recognises the file, however this run ends.
            new FileCommit(0, columns, commits).write(path);
        }
        takeBack(0);
        Utf8Buffer header = new Utf8Buffer();
        text.header(header);
        header.writeTo(Channels.newOutputStream(file));
        makeDurable(commits);
    }

    private void resume(FileCommit last) throws IOException, SinkException {
        if (!last.columns().equals(columns)) {
            throw cannotAppend("its columns are " + last.columns() + ", those of the results are " + columns, "");
        }
        if (file.size() < last.length()) {
            throw cannotAppend(
                    "it has " + file.size() + " bytes, but had " + last.length()
                            + " at the last flush: another program has cut it",
                    " together with " + FileCommit.file(path));
        }
        commits = new HashMap<>(last.commits());
        flushed = last.length();
        takeBack(flushed);
    }

    private SinkException cannotAppend(String why, String with) {
        return SinkException.lasting("cannot append to " + path + ": " + why + "; move it away" + with
                + ", or set 'anew: true' to replace it in each run");
    }

    /** Closes the file and releases its lock, without a change to its content. */
    private void closeFile() {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            // The cause of the failed open is reported instead.
        }
        file = null;
    }

    @Override
    public Map<String, PartitionPosition> readCommits() {
        return replaces ? null : Map.copyOf(commits);
    }

    @Override
    public void write(WindowResult result, String share) throws SinkException {
        long before = -1;
        try {
            before = file.position();
            if (file.size() < before) {
                throw SinkException.lasting("cannot write " + path + ": it has " + file.size()
                        + " bytes, but this run has written " + before + ": another program has cut it");
            }
            // Not closed, since that would close the channel.
            BufferedOutputStream out = new BufferedOutputStream(Channels.newOutputStream(file), 1 << 16);
            text.rows(result, new Utf8Buffer(), out);
            out.flush();
        } catch (IOException e) {
            SinkException failure = DurableFiles.cannotWrite(path, e);
            takeBackAfter(failure, before);
            throw failure;
        }
    }

    @Override
    public boolean flush(List<PartitionPosition> done) throws SinkException {
        Map<String, PartitionPosition> next = new HashMap<>(commits);
        done.forEach(commit -> next.put(commit.partition(), commit));
        try {
            makeDurable(next);
            return false;
        } catch (IOException e) {
            SinkException failure = DurableFiles.cannotWrite(path, e);
            takeBackAfter(failure, flushed);
            throw failure;
        }
    }

    private void makeDurable(Map<String, PartitionPosition> next) throws IOException {
        file.force(true);
        if (!replaces) {
            new FileCommit(file.position(), columns, next).write(path);
            commits = next;
        }
        flushed = file.position();
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
            if (file != null) {
                takeBack(flushed);
            }
        } catch (IOException e) {
            // Bytes that were not flushed are lost anyway, or cut off by the next run.
        }
        closeFile();
    }

    /**
     * The flushed length of a file and the positions of the source at that time. Stored beside the file as {@code .<name>.commit},
     * a few lines that are replaced as a whole.
     */
    private record FileCommit(long length, String columns, Map<String, PartitionPosition> commits) {

        private static final String FORM = "updraft 1";

        static Path file(Path results) throws IOException {
            return DurableFiles.beside(results, ".commit");
        }

        /** Reads the commit of a results file; returns null if there is none. */
        static FileCommit read(Path results) throws IOException {
            Path file = file(results);
            if (!Files.exists(file)) {
                return null;
            }
            try {
                return parse(Files.readAllLines(file));
            } catch (RuntimeException e) {
                throw new IOException(file + " is damaged: " + e.getMessage(), e);
            }
        }

        private static FileCommit parse(List<String> lines) {
            if (!lines.get(0).equals(FORM)) {
                throw new IllegalArgumentException("the first line is " + lines.get(0) + ", not " + FORM);
            }
            Map<String, PartitionPosition> commits = new HashMap<>();
            for (int i = 3; i < lines.size(); i++) {
                PartitionPosition commit = parse(lines.get(i), i + 1);
                commits.put(commit.partition(), commit);
            }
            return new FileCommit(
                    Long.parseLong(lines.get(1)), URLDecoder.decode(lines.get(2), StandardCharsets.UTF_8), commits);
        }

        private static PartitionPosition parse(String line, int number) {
            try {
                String[] parts = line.split(" ");
                String partition = URLDecoder.decode(parts[2], StandardCharsets.UTF_8);
                // Older versions wrote no seen rows and no fingerprint.
                ProcessedRanges seen = parts.length < 4 ? ProcessedRanges.NONE : ProcessedRanges.parse(parts[3]);
                String fingerprint = parts.length < 5 ? "" : parts[4];
                return new PartitionPosition(
                        partition, Long.parseLong(parts[0]), Long.parseLong(parts[1]), seen, null, fingerprint);
            } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + " is no position of a partition", e);
            }
        }

        /** Replaces the previous commit; returns when this one is on the disk. */
        void write(Path results) throws IOException {
            List<String> lines = new ArrayList<>(
                    List.of(FORM, Long.toString(length), URLEncoder.encode(columns, StandardCharsets.UTF_8)));
            commits.values()
                    .forEach(commit -> lines.add(commit.position() + " " + commit.closedUntil() + " "
                            + URLEncoder.encode(commit.partition(), StandardCharsets.UTF_8) + " "
                            + commit.processed().text() + " " + commit.fingerprint()));
            Path hidden = DurableFiles.beside(results, ".commit.tmp");
            Files.write(hidden, lines);
            DurableFiles.sync(hidden);
            DurableFiles.replace(hidden, file(results));
            DurableFiles.syncFolder(DurableFiles.folder(results));
        }
    }
}
