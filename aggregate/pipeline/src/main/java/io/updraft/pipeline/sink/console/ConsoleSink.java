package io.updraft.pipeline.sink.console;

import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.connector.UnitPosition;
import io.updraft.pipeline.text.DelimitedText;
import io.updraft.pipeline.text.JsonText;
import io.updraft.pipeline.text.RowText;
import io.updraft.pipeline.text.Utf8Buffer;
import io.updraft.timeseries.query.WindowResult;
import io.updraft.timeseries.record.Schema;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;

/** Writes results to standard output, for people or for a pipe. */
final class ConsoleSink implements ResultSink {

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
            Utf8Buffer header = new Utf8Buffer();
            text.header(header);
            header.moveTo(out);
            check();
        }
    }

    @Override
    public void write(WindowResult result, String unit) throws SinkException {
        Utf8Buffer buffer = new Utf8Buffer();
        try {
            if (text == null) {
                new ResultTable(result, unit, options.maxRows()).print(buffer);
                buffer.writeTo(out);
            } else {
                text.rows(result, buffer, out);
            }
        } catch (IOException e) {
            // A print stream does not throw; check() asks it for errors.
            throw new UncheckedIOException(e);
        }
        check();
    }

    /** Reports a failed write. A full disk and a closed pipe look the same here, and trying again helps against neither. */
    private void check() throws SinkException {
        if (out.checkError()) {
            throw SinkException.lasting(
                    "cannot write to standard output: its reader has closed it, or its disk is full", null);
        }
    }

    @Override
    public boolean flush(List<UnitPosition> commits) throws SinkException {
        out.flush();
        check();
        return false;
    }

    @Override
    public void close() {
        out.flush();
    }
}
