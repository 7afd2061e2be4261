package io.updraft.pipeline.source;

import java.io.FilterInputStream;
import java.io.InputStream;

/** A stream whose {@code close} leaves the underlying stream open. */
final class UnclosedStream extends FilterInputStream {

    UnclosedStream(InputStream in) {
        super(in);
    }

    @Override
    public void close() {}
}
