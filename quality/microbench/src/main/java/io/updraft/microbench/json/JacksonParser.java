package io.updraft.microbench.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonToken;
import io.updraft.timeseries.record.RecordRow;
import java.io.IOException;

/** Jackson's streaming parser. */
final class JacksonParser implements JsonParser {

    private final JsonFactory factory = new JsonFactory();
    private final Wanted root;

    JacksonParser(Wanted root) {
        this.root = root;
    }

    @Override
    public void parse(byte[] text, RecordRow row) throws IOException {
        try (com.fasterxml.jackson.core.JsonParser parser = factory.createParser(text)) {
            parser.nextToken();
            object(parser, root, row);
        }
    }

    private void object(com.fasterxml.jackson.core.JsonParser parser, Wanted wanted, RecordRow row) throws IOException {
        String name;
        while ((name = parser.nextFieldName()) != null) {
            Wanted member = wanted.members.get(name);
            JsonToken token = parser.nextToken();
            if (member == null) {
                parser.skipChildren();
            } else if (token == JsonToken.START_OBJECT) {
                object(parser, member, row);
            } else {
                value(parser, member, row);
            }
        }
    }

    private static void value(com.fasterxml.jackson.core.JsonParser parser, Wanted wanted, RecordRow row)
            throws IOException {
        switch (wanted.type) {
            case TEXT -> row.setText(wanted.slot, parser.getText());
            case LONG -> row.setLong(wanted.slot, parser.getLongValue());
            default -> row.setDouble(wanted.slot, parser.getDoubleValue());
        }
    }
}
