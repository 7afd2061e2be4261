package io.updraft.bench.topology;

import io.updraft.bench.spec.Shape;

/** Emits the sentences of {@link ZipfText} in an endless loop, as storm-perf's {@code FileReadSpout} does with a file. */
final class SentenceSpout extends CountingSpout {

    private static final long serialVersionUID = 1L;

    private final double zipf;
    private transient ZipfText text;

    SentenceSpout(String runId, Shape shape) {
        super(runId, shape.acked());
        this.zipf = shape.zipf();
    }

    @Override
    void opened() {
        text = new ZipfText(zipf);
    }

    @Override
    Object message(long sequence) {
        return text.sentence(sequence);
    }
}
