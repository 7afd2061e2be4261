package io.updraft.pipeline.sink;

import io.updraft.pipeline.text.TerminalText;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** Shows some late records or dead letters on the terminal: the first ones, then one each time their number has doubled. */
final class SampleRejectedRecordSink extends RejectedRecordSink {

    private static final int MAX_RECORD = 160;
    private static final int MAX_REASON = 300;

    private final int first;
    private final PrintStream out;
    private final AtomicLong records = new AtomicLong();

    SampleRejectedRecordSink(RejectedRecordSinkOptions.Sample options, PrintStream out) {
        super("standard error");
        this.first = options.first();
        this.out = out;
    }

    @Override
    public void accept(String partition, long position, String reason, byte[] bytes, int from, int length) {
        long number = records.incrementAndGet();
        if (number <= first || Long.bitCount(number) == 1) {
            String record = new String(bytes, from, Math.min(length, 4 * MAX_RECORD), StandardCharsets.UTF_8);
            out.println("not in the results (" + number + " so far): " + TerminalText.show(partition, MAX_REASON) + ":"
                    + position + ": " + TerminalText.show(reason, MAX_REASON) + ": "
                    + TerminalText.show(record, MAX_RECORD));
        }
    }

    @Override
    public void flush() {
        out.flush();
    }

    @Override
    public void close() {
        flush();
    }
}
