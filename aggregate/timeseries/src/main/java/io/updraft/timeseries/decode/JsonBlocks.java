package io.updraft.timeseries.decode;

import io.updraft.base.record.Chunk;
import io.updraft.timeseries.record.KeyTexts;
import io.updraft.timeseries.record.RecordRow;
import io.updraft.timeseries.record.RowBlock;
import io.updraft.timeseries.record.Schema;
import java.util.Arrays;

/** Reads the records of a few templates into blocks of rows. The templates are learned from records. One thread only. */
final class JsonBlocks {

    private static final int MAX_TEMPLATES = 4;
    /** The most records that are parsed before a block is tried again. */
    private static final int MAX_PAUSE = 64;

    private final KeyColumns keys;
    private final RowBlock block;
    private final RecordRow row;
    private final JsonTrace trace = new JsonTrace();
    /** The templates, that of the last block first. */
    private final JsonTemplate[] templates = new JsonTemplate[MAX_TEMPLATES];

    private JsonTemplate prepared;
    private KeyTexts.Form form;
    private int pause;
    private int pausing;

    JsonBlocks(Schema schema, KeyColumns keys) {
        this.keys = keys;
        this.block = new RowBlock(schema, keys.texts());
        this.row = new RecordRow(schema);
    }

    RowBlock block() {
        return block;
    }

    /** Returns a trace for the next record that is parsed; null if no template is wanted. */
    JsonTrace trace() {
        return pausing > 0 ? null : trace;
    }

    /** Learns the template of a record that was traced and parsed. */
    void learn(byte[] in, int end, KeyTexts.Form keyForm) {
        if (keyForm != form) {
            form = keyForm;
            Arrays.fill(templates, null);
        }
        JsonTemplate template = keys.isWhole(form) ? JsonTemplate.of(trace, in, end, keys, form, row) : null;
        if (template == null) {
            return;
        }
        for (int i = 0; i < MAX_TEMPLATES; i++) {
            if (template.isSame(templates[i])) {
                templates[i] = template.parsesKeys() ? template : templates[i];
                return;
            }
        }
        toFront(template, MAX_TEMPLATES - 1);
    }

    private void toFront(JsonTemplate template, int from) {
        System.arraycopy(templates, 0, templates, 1, from);
        templates[0] = template;
    }

    /**
     * Reads records into the block, until it is full, or up to a record that it cannot have.
     *
     * @param from the index of the first record in a chunk of records; its first byte in a chunk of lines
     * @return the index of the first record that is not in the block
     */
    int read(Chunk chunk, int from) {
        block.clear();
        if (pausing > 0) {
            pausing--;
            return from;
        }
        int at = from;
        for (int i = 0; i < MAX_TEMPLATES && templates[i] != null && block.count() == 0; i++) {
            JsonTemplate template = templates[i];
            prepare(template);
            at = chunk.isLines() ? lines(template, chunk, from) : records(template, chunk, from);
            if (block.count() > 0) {
                toFront(template, i);
            }
        }
        boolean isVain = block.count() == 0 && templates[0] != null;
        pause = isVain ? Math.min(MAX_PAUSE, 2 * pause + 1) : 0;
        pausing = isVain ? pause - 1 : 0;
        return at;
    }

    private void prepare(JsonTemplate template) {
        if (template != prepared) {
            template.prepare(block);
            prepared = template;
        }
    }

    private int lines(JsonTemplate template, Chunk chunk, int from) {
        byte[] in = chunk.bytes();
        int end = chunk.length();
        int at = from;
        while (at < end && !block.isFull()) {
            int after = template.read(in, at, end, block);
            after = after >= 0 && after < end && in[after] == '\r' ? after + 1 : after;
            if (after < 0 || after >= end || in[after] != '\n') {
                return at;
            }
            block.add(chunk.from() + at, 0);
            at = after + 1;
        }
        return at;
    }

    private int records(JsonTemplate template, Chunk chunk, int from) {
        byte[] in = chunk.bytes();
        int[] ends = chunk.ends();
        long[] times = chunk.times();
        int i = from;
        while (i < ends.length && !block.isFull()) {
            if (template.read(in, i == 0 ? 0 : ends[i - 1], ends[i], block) != ends[i]) {
                return i;
            }
            block.add(chunk.positions()[i], times == null ? 0 : times[i]);
            i++;
        }
        return i;
    }
}
