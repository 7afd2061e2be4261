package io.updraft.bench.aggregate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.reader.StreamFormat;
import org.apache.flink.core.fs.FSDataInputStream;

/**
 * Flink's format of a file of a {@link FlatShape}: each line is a key, its dimensions with commas between them, and the values of
 * its measures. Parses the bytes in place. Splittable, so that the tasks read parts of one file at the same time.
 */
final class FlatLines implements StreamFormat<Tuple2<String, double[]>> {

    private static final long serialVersionUID = 1;

    private final FlatShape shape;

    FlatLines(FlatShape shape) {
        this.shape = shape;
    }

    @Override
    public Reader<Tuple2<String, double[]>> createReader(
            Configuration config, FSDataInputStream stream, long length, long end) throws IOException {
        return new LineReader(shape, stream, end);
    }

    @Override
    public Reader<Tuple2<String, double[]>> restoreReader(
            Configuration config, FSDataInputStream stream, long restored, long length, long end) {
        throw new UnsupportedOperationException("the job has no checkpoints");
    }

    @Override
    public boolean isSplittable() {
        return true;
    }

    @Override
    public TypeInformation<Tuple2<String, double[]>> getProducedType() {
        return Types.TUPLE(Types.STRING, Types.PRIMITIVE_ARRAY(Types.DOUBLE));
    }

    /** Reads the lines that begin in one part of the file. One thread. */
    private static final class LineReader implements Reader<Tuple2<String, double[]>> {

        private static final JsonFactory JSON = JsonFactory.builder()
                .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                .build();

        private final boolean csv;
        private final FSDataInputStream stream;
        private final long end;
        private final Map<String, Integer> slots = new HashMap<>();
        private final String[] texts;
        private final int measures;
        private byte[] buffer = new byte[1 << 18];
        private int at;
        private int limit;
        /** The position in the file of the next line. */
        private long position;

        LineReader(FlatShape shape, FSDataInputStream stream, long end) throws IOException {
            this.stream = stream;
            this.end = end;
            csv = shape.isCsv();
            texts = new String[shape.dimensions().size()];
            measures = shape.measures().size();
            List<String> fields = Stream.of(shape.dimensions(), shape.measures())
                    .flatMap(List::stream)
                    .toList();
            fields.forEach(name -> slots.put(name, slots.size()));
            position = stream.getPos();
            if (position > 0) {
                // The line with the byte before this part belongs to the part before.
                stream.seek(--position);
                skip();
            } else if (csv) {
                skip();
            }
        }

        private void skip() throws IOException {
            int to = line();
            if (to >= 0) {
                next(to);
            }
        }

        private void next(int to) {
            position += to + 1 - at;
            at = to + 1;
        }

        /** Returns the index of the end of the next line; -1 if there is none. */
        private int line() throws IOException {
            for (int i = at; ; i++) {
                if (i == limit) {
                    i -= at;
                    if (!fill()) {
                        return -1;
                    }
                }
                if (buffer[i] == '\n') {
                    return i;
                }
            }
        }

        private boolean fill() throws IOException {
            int rest = limit - at;
            byte[] next = rest > buffer.length / 2 ? new byte[2 * buffer.length] : buffer;
            System.arraycopy(buffer, at, next, 0, rest);
            buffer = next;
            at = 0;
            int read = stream.read(buffer, rest, buffer.length - rest);
            limit = rest + Math.max(0, read);
            return read > 0;
        }

        @Override
        public Tuple2<String, double[]> read() throws IOException {
            int to = position < end ? line() : -1;
            if (to < 0) {
                return null;
            }
            Tuple2<String, double[]> record = csv ? csv(to) : json(to);
            next(to);
            return record;
        }

        private Tuple2<String, double[]> csv(int to) {
            int comma = at;
            while (buffer[comma] != ',') {
                comma++;
            }
            String value = new String(buffer, comma + 1, to - comma - 1, StandardCharsets.ISO_8859_1);
            return Tuple2.of(
                    new String(buffer, at, comma - at, StandardCharsets.ISO_8859_1),
                    new double[] {Double.parseDouble(value)});
        }

        private Tuple2<String, double[]> json(int to) throws IOException {
            double[] values = new double[measures];
            Arrays.fill(texts, "");
            try (JsonParser parser = JSON.createParser(buffer, at, to - at)) {
                parser.nextToken();
                for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
                    parser.nextToken();
                    int slot = slots.get(name);
                    if (slot < texts.length) {
                        texts[slot] = parser.getText();
                    } else {
                        values[slot - texts.length] = parser.getDoubleValue();
                    }
                }
            }
            return Tuple2.of(String.join(",", texts), values);
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
