package io.updraft.pipeline.sink;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** Writes a late record or dead letter as a line of JSON. */
final class RecordJson {

    private RecordJson() {}

    static void line(String unit, long position, String reason, byte[] bytes, int from, int length, Utf8 out) {
        out.add("{\"unit\":");
        JsonText.string(unit, out);
        out.add(",\"position\":").add(Long.toString(position)).add(",\"reason\":");
        JsonText.string(reason, out);
        if (isText(bytes, from, length)) {
            out.add(",\"record\":");
            JsonText.string(bytes, from, length, out);
        } else {
            byte[] record = Arrays.copyOfRange(bytes, from, from + length);
            out.add(",\"base64\":\"")
                    .add(Base64.getEncoder().encodeToString(record))
                    .add('"');
        }
        out.add('}').add('\n');
    }

    private static boolean isText(byte[] bytes, int from, int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, length));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
