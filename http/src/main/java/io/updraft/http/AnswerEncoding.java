package io.updraft.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** Makes answers shorter: by gzip, and by the status 304 for an answer that the client already has. */
final class AnswerEncoding {
    private static final int LEAST_BYTES = 1024;
    private static final int ETAG_BYTES = 16;
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;

    private AnswerEncoding() {}

    /** Adds an {@code ETag} and the compressed body. */
    static HttpAnswer asset(HttpAnswer answer) {
        byte[] body = answer.body();
        HttpAnswer tagged = answer.with("ETag", "W/\"" + hash(body) + "\"").with("Cache-Control", "no-cache");
        return isWorthwhile(answer) ? tagged.withGzip(gzip(body)) : tagged;
    }

    /** Returns the answer that is sent to a request. */
    static HttpAnswer encode(HttpQuery query, HttpAnswer answer) {
        String tag = answer.header("ETag");
        if (tag != null && answer.status() == OK && isKnown(query.header("If-None-Match"), tag)) {
            return vary(answer).withBody(NOT_MODIFIED, null, new byte[0]);
        }
        if (!isWorthwhile(answer)) {
            return answer;
        }
        if (!acceptsGzip(query.header("Accept-Encoding"))) {
            return vary(answer);
        }
        byte[] compressed = answer.gzip() == null ? gzip(answer.body()) : answer.gzip();
        HttpAnswer encoded =
                vary(answer).with("Content-Encoding", "gzip").withBody(answer.status(), answer.type(), compressed);
        // Two encodings of a page do not have the same bytes, as a strong tag would say.
        return tag == null || tag.startsWith("W/") ? encoded : encoded.with("ETag", "W/" + tag);
    }

    private static HttpAnswer vary(HttpAnswer answer) {
        return isWorthwhile(answer) ? answer.with("Vary", "Accept-Encoding") : answer;
    }

    private static boolean isKnown(String current, String tag) {
        for (String each : current.split(",")) {
            String one = each.strip();
            if (one.equals("*") || opaque(one).equals(opaque(tag))) {
                return true;
            }
        }
        return false;
    }

    private static String opaque(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }

    private static boolean isWorthwhile(HttpAnswer answer) {
        String type = answer.type();
        return answer.file() == null
                && answer.body().length > LEAST_BYTES
                && answer.header("Content-Encoding") == null
                && (type.startsWith("text/")
                        || type.startsWith("application/json")
                        || type.startsWith("application/javascript")
                        || type.startsWith("image/svg+xml"));
    }

    private static boolean acceptsGzip(String accepted) {
        for (String each : accepted.toLowerCase(Locale.ROOT).split(",")) {
            String[] parts = each.strip().split("\\s*;\\s*");
            if (parts[0].equals("gzip")) {
                return parts.length == 1 || !parts[1].matches("q=0(\\.0*)?");
            }
        }
        return false;
    }

    private static byte[] gzip(byte[] body) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(body.length / 2);
        try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    private static String hash(byte[] body) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(body);
            return HexFormat.of().formatHex(hash, 0, ETAG_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
