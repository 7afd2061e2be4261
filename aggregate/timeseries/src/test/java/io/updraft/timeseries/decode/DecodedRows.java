package io.updraft.timeseries.decode;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The output of a decoder for a text. */
final class DecodedRows implements RowHandler {

    final List<List<Object>> rows = new ArrayList<>();
    final List<Long> positions = new ArrayList<>();
    final List<Long> times = new ArrayList<>();
    /** Of each row, the record that it was made of. */
    final List<String> records = new ArrayList<>();

    final List<String> reasons = new ArrayList<>();
    final List<String> badRecords = new ArrayList<>();
    final List<Long> badPositions = new ArrayList<>();

    /** Null if nobody asks for the records. */
    private final Decoder decoder;

    private final Chunk chunk;

    DecodedRows() {
        this(null, null);
    }

    private DecodedRows(Decoder decoder, Chunk chunk) {
        this.decoder = decoder;
        this.chunk = chunk;
    }

    private static DecodedRows of(DecodeSpec spec, Chunk chunk) {
        Decoder decoder = Decoder.create(spec);
        DecodedRows decoded = new DecodedRows(decoder, chunk);
        decoder.decode(chunk, decoded);
        return decoded;
    }

    static DecodedRows lines(DecodeSpec spec, String text) {
        return lines(spec, text.getBytes(StandardCharsets.UTF_8));
    }

    static DecodedRows lines(DecodeSpec spec, byte[] bytes) {
        return of(spec, new Chunk("unit", 0, bytes, bytes.length));
    }

    /** Each text a record, with positions 100, 101 ... and times 1000, 1001 ... */
    static DecodedRows records(DecodeSpec spec, String... texts) {
        return of(spec, chunk(texts));
    }

    private static Chunk chunk(String... texts) {
        byte[] bytes = String.join("", texts).getBytes(StandardCharsets.UTF_8);
        int[] ends = new int[texts.length];
        long[] positions = new long[texts.length];
        long[] times = new long[texts.length];
        int end = 0;
        for (int i = 0; i < texts.length; i++) {
            end += texts[i].getBytes(StandardCharsets.UTF_8).length;
            ends[i] = end;
            positions[i] = 100 + i;
            times[i] = 1000 + i;
        }
        return new Chunk("unit", 100, 100 + texts.length, bytes, bytes.length, ends, positions, times);
    }

    @Override
    public void row(RecordRow row, long position, long time) {
        List<Object> values = new ArrayList<>();
        for (int slot = 0; slot < row.schema().size(); slot++) {
            values.add(row.value(slot));
        }
        rows.add(values);
        positions.add(position);
        times.add(time);
        if (decoder != null) {
            records.add(
                    new String(chunk.bytes(), decoder.recordFrom(), decoder.recordLength(), StandardCharsets.UTF_8));
        }
    }

    @Override
    public void rejected(long position, byte[] bytes, int from, int length, String reason) {
        badPositions.add(position);
        badRecords.add(new String(bytes, from, length, StandardCharsets.UTF_8));
        reasons.add(reason);
    }
}
