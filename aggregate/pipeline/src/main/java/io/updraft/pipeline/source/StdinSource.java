package io.updraft.pipeline.source;

import io.updraft.base.record.SourceEvent;
import io.updraft.observe.pipeline.SourceProgress;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.timeseries.decode.DecodeSpec;
import java.io.IOException;
import java.io.InputStream;

/** Reads lines of standard input: one partition, {@code stdin}. A thread of its own reads ahead at most some 4 MB. */
final class StdinSource extends ReadAheadSource {

    private static final String PARTITION = "stdin";
    private static final int CAPACITY = 16;

    private final LineFormat format;
    private final Opening stream;
    private volatile long done;

    /** Starts to read standard input, which can be read only once in a process. */
    public StdinSource(SourceSpec.Stdin spec, DecodeSpec decode) {
        this(spec, decode, InputHead::openStdin);
    }

    StdinSource(SourceSpec.Stdin spec, DecodeSpec decode, Opening stream) {
        super("updraft-stdin", CAPACITY);
        this.stream = stream;
        format = LineFormat.of(decode, spec.header(), spec.maxRecord());
        start();
    }

    @FunctionalInterface
    interface Opening {
        InputStream open() throws IOException;
    }

    @Override
    public void read(Out out) throws SourceException, InterruptedException {
        out.put(new Event.Opened(PARTITION));
        ChunkReader chunks = null;
        try {
            chunks = format.reader(PARTITION, 0, stream.open()::read, () -> 1);
            for (SourceEvent event = chunks.next(); event != null; event = chunks.next()) {
                out.put(event);
                done = chunks.position();
            }
        } catch (IOException e) {
            long position = chunks == null ? 0 : chunks.position();
            throw new SourceException("stdin: reading failed after byte " + position + ": " + FileFinder.reason(e), e);
        }
        SourceEvent last = chunks.last();
        if (last != null) {
            out.put(last);
        }
        done = chunks.position();
        out.put(new Event.Ended(PARTITION));
    }

    @Override
    public boolean canBeReadAgain() {
        return false;
    }

    @Override
    public SourceProgress progress() {
        return new SourceProgress(done, -1, -1, "bytes");
    }
}
