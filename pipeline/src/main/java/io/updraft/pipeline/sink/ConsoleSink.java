package io.updraft.pipeline.sink;

import io.updraft.pipeline.sink.ConsoleSinkOptions.Style;
import io.updraft.pipeline.source.Commit;
import io.updraft.timeseries.aggregate.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Results on a stream that somebody looks at, or that a pipe takes further. */
final class ConsoleSink implements Sink {

    private static final int BLOCK = 1 << 16;

    private final ConsoleSinkOptions options;
    private final PrintStream out;
    private RowText text;

    ConsoleSink(ConsoleSinkOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public String where() {
        return "standard output";
    }

    @Override
    public void open(Schema columns, int dimensions) throws SinkException {
        text = switch (options.style()) {
            case TABLE -> null;
            case TSV -> new DelimitedText(columns, '\t');
            case CSV -> new DelimitedText(columns, ',');
            case JSON -> new JsonText(columns);
        };
        if (text != null) {
            Utf8 header = new Utf8();
            text.header(header);
            print(header);
            check();
        }
    }

    @Override
    public void write(WindowResult result, String unit) throws SinkException {
        Utf8 buffer = new Utf8();
        if (options.style() == Style.TABLE) {
            new Table(result, unit, options.maxRows()).print(buffer);
        } else {
            result.forEach(row -> {
                text.row(result.window(), row, buffer);
                if (buffer.length() >= BLOCK) {
                    print(buffer);
                }
            });
        }
        print(buffer);
        check();
    }

    private void print(Utf8 buffer) {
        try {
            buffer.writeTo(out);
            buffer.clear();
        } catch (IOException e) {
            // A print stream keeps its troubles to itself; see check.
            throw new UncheckedIOException(e);
        }
    }

    /** A full disk and a reader that went away look the same here, and neither gets better by trying again. */
    private void check() throws SinkException {
        if (out.checkError()) {
            throw SinkException.lasting(
                    "cannot write to standard output: who reads it is gone, or its disk is full", null);
        }
    }

    @Override
    public boolean flush(List<Commit> commits) throws SinkException {
        out.flush();
        check();
        return false;
    }

    @Override
    public void close() {
        out.flush();
    }
}
