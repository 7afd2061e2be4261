package io.updraft.microbench.json;

import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.util.Fnv;
import io.updraft.timeseries.record.RecordRow;
import java.nio.charset.StandardCharsets;

/** fastjson2's streaming reader; finds members by the name hash that the library computes. */
final class Fastjson2Parser implements JsonParser {

    private final Wanted root;

    Fastjson2Parser(Wanted root) {
        this.root = root.hashedBy(Fnv::hashCode64);
    }

    @Override
    public void parse(byte[] text, RecordRow row) {
        try (JSONReader reader = JSONReader.of(text, 0, text.length, StandardCharsets.UTF_8)) {
            object(reader, root, row);
        }
    }

    private void object(JSONReader reader, Wanted wanted, RecordRow row) {
        reader.nextIfObjectStart();
        while (!reader.nextIfObjectEnd()) {
            Wanted member = wanted.find(reader.readFieldNameHashCode());
            if (member == null) {
                reader.skipValue();
            } else if (member.type == null) {
                object(reader, member, row);
            } else {
                value(reader, member, row);
            }
        }
    }

    private static void value(JSONReader reader, Wanted wanted, RecordRow row) {
        switch (wanted.type) {
            case TEXT -> row.setText(wanted.slot, reader.readString());
            case LONG -> row.setLong(wanted.slot, reader.readInt64Value());
            default -> row.setDouble(wanted.slot, reader.readDoubleValue());
        }
    }
}
