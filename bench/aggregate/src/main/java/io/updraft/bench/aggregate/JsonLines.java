package io.updraft.bench.aggregate;

import io.updraft.base.record.Chunk;
import io.updraft.bench.spec.Shape;
import io.updraft.bench.topology.BenchTopology;
import io.updraft.bench.topology.CountingBolt;
import io.updraft.bench.topology.CountingSpout;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.DecodedColumn;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RowHandler;
import io.updraft.timeseries.record.FieldType;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * What the whole job has before its aggregators: a spout of JSON lines, and bolts that parse and flatten them. The spout has one
 * line of each key in memory, and sends each with a time, as a broker does.
 */
final class JsonLines {

    private static final String DECODER = "decode";

    private JsonLines() {}

    /** Adds the spout and the decoders; {@return the component that emits the fields of records} */
    static String records(TableSpec spec, TopologyBuilder builder, Shape shape, String runId) {
        builder.setSpout(
                BenchTopology.SPOUT,
                new CountingSpout(runId, shape, () -> lines(spec), "line", TableRecords.TIME),
                shape.spouts());
        builder.setBolt(
                        DECODER,
                        new CountingBolt(runId, (run, task) -> decoding(spec), TableTopology.fields(spec)),
                        shape.bolts())
                .shuffleGrouping(BenchTopology.SPOUT);
        return DECODER;
    }

    /** {@return the sum of a measure over the given number of first lines of a spout} */
    static long sum(TableSpec spec, TableRecords records, long number, int measure) {
        long rounds = number / spec.keys();
        return rounds * records.sum(spec.keys(), measure) + records.sum(number % spec.keys(), measure);
    }

    private static LongFunction<List<Object>> lines(TableSpec spec) {
        TableRecords records = new TableRecords(spec);
        records.prepare();
        String[] lines = new String[spec.keys()];
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < lines.length; i++) {
            line.setLength(0);
            NestedRecords.line(spec, records.record(i), records.time(i), line);
            lines[i] = line.toString();
        }
        return number -> new Values(lines[(int) (number % lines.length)], records.time(number));
    }

    private static BiConsumer<Tuple, BasicOutputCollector> decoding(TableSpec spec) {
        Decoder decoder = Decoder.create(DecodeSpec.json(Stream.concat(
                        columns(TableRecords.dimensions(spec.dimensions()), FieldType.TEXT, "dimensions."),
                        columns(TableRecords.measures(spec.measures()), FieldType.LONG, "measures."))
                .toArray(DecodedColumn[]::new)));
        return (tuple, collector) -> {
            byte[] line = tuple.getString(0).getBytes(StandardCharsets.UTF_8);
            decoder.decode(new Chunk("", 0, line, line.length), new Emitter(tuple.getValue(1), collector));
        };
    }

    private static Stream<DecodedColumn> columns(List<String> names, FieldType type, String path) {
        return names.stream().map(name -> DecodedColumn.of(name, type, path + name));
    }

    /** Emits a decoded record with its time. */
    private record Emitter(Object time, BasicOutputCollector collector) implements RowHandler {

        @Override
        public void row(RecordRow row, long position, long sourceTime) {
            int size = row.schema().size();
            Object[] values = new Object[size + 1];
            for (int slot = 0; slot < size; slot++) {
                values[slot] = row.value(slot);
            }
            values[size] = time;
            collector.emit(Arrays.asList(values));
        }

        @Override
        public void rejected(long position, byte[] bytes, int from, int length, String reason) {
            throw new IllegalStateException("a record cannot be decoded: " + reason);
        }
    }
}
