package io.updraft.pipeline.source.stdin;

import io.updraft.pipeline.line.RecordCutter;
import io.updraft.pipeline.source.file.StreamCompression;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;

/** The standard input of the process. Bytes that {@link #head} returns are still read by the source. */
final class StandardInput {

    private static InputStream unpacked;
    private static byte[] head;

    private StandardInput() {}

    /** Returns the first bytes, at most {@code most}. Waits until they contain a whole line. */
    static synchronized byte[] head(int most) throws IOException {
        if (head == null) {
            byte[] bytes = new byte[most];
            int length = 0;
            while (length < most && RecordCutter.Bytes.lastLineFeed(bytes, 0, length) < 0) {
                int count = unpacked().read(bytes, length, most - length);
                if (count < 0) {
                    break;
                }
                length += count;
            }
            head = Arrays.copyOf(bytes, length);
        }
        return head;
    }

    static synchronized InputStream open() throws IOException {
        InputStream rest = unpacked();
        return head == null ? rest : new SequenceInputStream(new ByteArrayInputStream(head), rest);
    }

    private static InputStream unpacked() throws IOException {
        if (unpacked == null) {
            unpacked = StreamCompression.detect(new FileInputStream(FileDescriptor.in));
        }
        return unpacked;
    }
}
