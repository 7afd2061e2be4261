package io.updraft.microbench.json;

import com.dslplatform.json.DslJson;
import com.dslplatform.json.JsonReader;
import com.dslplatform.json.NumberConverter;
import io.updraft.timeseries.record.RecordRow;
import java.io.IOException;

/** DSL-JSON's reader; finds members by the name hash that the library computes. */
final class DslJsonParser implements JsonParser {

    private final JsonReader<Object> reader = new DslJson<>().newReader();
    private final Wanted root;

    DslJsonParser(Wanted root) {
        this.root = root.hashedBy(DslJsonParser::hash);
    }

    private static long hash(String name) {
        int hash = 0x811c9dc5;
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ (byte) name.charAt(i)) * 0x1000193;
        }
        return hash;
    }

    @Override
    public void parse(byte[] text, RecordRow row) throws IOException {
        reader.process(text, text.length);
        reader.getNextToken();
        object(root, row);
    }

    private void object(Wanted wanted, RecordRow row) throws IOException {
        if (reader.getNextToken() == '}') {
            return;
        }
        do {
            Wanted member = wanted.find(reader.fillName());
            int first = reader.getNextToken();
            if (member == null) {
                reader.skip();
            } else if (first == '{') {
                object(member, row);
                reader.getNextToken();
            } else {
                value(member, row);
                reader.getNextToken();
            }
        } while (reader.last() == ',' && reader.getNextToken() == '"');
    }

    private void value(Wanted wanted, RecordRow row) throws IOException {
        switch (wanted.type) {
            case TEXT -> row.setText(wanted.slot, reader.readString());
            case LONG -> row.setLong(wanted.slot, NumberConverter.deserializeLong(reader));
            default -> row.setDouble(wanted.slot, NumberConverter.deserializeDouble(reader));
        }
    }
}
