package io.updraft.pipeline.sink;

import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.text.ResultFormat;
import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes a file for each window. The file has a hidden name, {@code .<name>.tmp}, until a flush has put its bytes on the disk
 * and renames it. So no reader sees an incomplete file, even after a crash. A window that is written again replaces its file.
 */
final class WindowFilesSink implements ResultSink {

    private final ResultFormat format;
    private final FileNameTemplate names;
    /** Files that are written but not flushed, by final name; the values are the hidden names. */
    private final Map<Path, Path> written = new LinkedHashMap<>();

    private RowText text;

    WindowFilesSink(FileSinkOptions options) {
        this.format = options.format();
        this.names = new FileNameTemplate(options.path());
    }

    @Override
    public String where() {
        return names.folder().toString();
    }

    @Override
    public void open(Schema columns, int dimensions) throws SinkException {
        text = format == ResultFormat.PARQUET ? null : RowText.of(format, columns);
        Path folder = names.folder();
        try {
            Files.createDirectories(folder);
            Files.delete(Files.createTempFile(folder, ".updraft", ".probe"));
        } catch (IOException e) {
            throw DurableFiles.cannotWrite(folder, e);
        }
    }

    @Override
    public void write(WindowResult result, String share) throws SinkException {
        Path path = names.path(result.window(), share);
        Path hidden = null;
        try {
            hidden = DurableFiles.beside(path, ".tmp");
            write(result, hidden);
            written.put(path, hidden);
        } catch (IOException e) {
            remove(hidden);
            written.remove(path);
            throw DurableFiles.cannotWrite(path, e);
        }
    }

    private void write(WindowResult result, Path file) throws IOException {
        if (format == ResultFormat.PARQUET) {
            ParquetFile.write(result, file);
            return;
        }
        Utf8Buffer buffer = new Utf8Buffer();
        text.header(buffer);
        try (OutputStream out = Files.newOutputStream(file)) {
            text.rows(result, buffer, out);
        }
    }

    @Override
    public boolean flush(List<PartitionPosition> commits) throws SinkException {
        Path current = names.folder();
        try {
            for (Map.Entry<Path, Path> file : written.entrySet()) {
                current = file.getKey();
                DurableFiles.sync(file.getValue());
            }
            Set<Path> folders = new LinkedHashSet<>();
            for (Map.Entry<Path, Path> file : written.entrySet()) {
                current = file.getKey();
                DurableFiles.replace(file.getValue(), current);
                folders.add(DurableFiles.folder(current));
            }
            for (Path folder : folders) {
                current = folder;
                DurableFiles.syncFolder(folder);
            }
            written.clear();
            return false;
        } catch (IOException e) {
            forget();
            throw DurableFiles.cannotWrite(current, e);
        }
    }

    /** Removes the written files; the caller writes all of them again. */
    private void forget() {
        written.values().forEach(WindowFilesSink::remove);
        written.clear();
    }

    private static void remove(Path hidden) {
        try {
            if (hidden != null) {
                Files.deleteIfExists(hidden);
            }
        } catch (IOException e) {
            // The file stays hidden, and is overwritten when its window is written again.
        }
    }

    @Override
    public void close() {
        forget();
    }
}
