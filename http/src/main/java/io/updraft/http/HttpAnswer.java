package io.updraft.http;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;

/**
 * The answer to a request for a page. By default, a browser neither stores an answer nor loads anything for it: {@link #with}
 * replaces the headers {@code Cache-Control} and {@code Content-Security-Policy}.
 *
 * @param status the HTTP status
 * @param type the content type; null without a body
 * @param headers more headers; compared without case
 * @param body the body; empty if the body is a file
 * @param gzip the body compressed by gzip, for an answer that is sent many times; null to compress it for each request
 * @param file the file that is the body; null if there is none
 * @param later the answer that is sent instead when it is there; null if it is this one
 */
public record HttpAnswer(
        int status,
        String type,
        Map<String, String> headers,
        byte[] body,
        byte[] gzip,
        Path file,
        CompletionStage<HttpAnswer> later) {
    /** The content type of plain text. */
    static final String TEXT = "text/plain; charset=utf-8";

    /**
     * {@return an answer in plain text}
     *
     * @param status the HTTP status
     * @param body the text
     */
    public static HttpAnswer text(int status, String body) {
        return of(status, TEXT, body);
    }

    /**
     * {@return an answer}
     *
     * @param status the HTTP status
     * @param type the content type
     * @param body the text, sent as UTF-8
     */
    public static HttpAnswer of(int status, String type, String body) {
        return of(status, type, body.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * {@return an answer}
     *
     * @param status the HTTP status
     * @param type the content type
     * @param body the body, not copied
     */
    public static HttpAnswer of(int status, String type, byte[] body) {
        return new HttpAnswer(status, type, Map.of(), body, null, null, null);
    }

    /**
     * {@return an answer that never changes, such as a style sheet} Make it once: it is compressed here, and has an {@code ETag}.
     *
     * @param type the content type
     * @param body the body, not copied
     */
    public static HttpAnswer asset(String type, byte[] body) {
        return AnswerEncoding.asset(of(200, type, body));
    }

    /**
     * {@return an answer that is a file, sent in pieces} It is not compressed. If the file cannot be read, the status is 404.
     *
     * @param file the file
     * @param downloadName the name under which a browser stores the file
     * @param type the content type
     */
    public static HttpAnswer file(Path file, String downloadName, String type) {
        String name = downloadName.replaceAll("[^A-Za-z0-9._-]", "_");
        return new HttpAnswer(200, type, Map.of(), new byte[0], null, file, null)
                .with("Content-Disposition", "attachment; filename=\"" + name + "\"");
    }

    /**
     * {@return an answer that comes later} It is sent as it is, not compressed. No thread waits for it, and the connection is not
     * closed meanwhile.
     *
     * @param answer the answer; may come on any thread
     */
    public static HttpAnswer later(CompletionStage<HttpAnswer> answer) {
        return new HttpAnswer(0, null, Map.of(), new byte[0], null, null, answer);
    }

    /**
     * {@return an answer without a body that sends a browser to another page}
     *
     * @param location the path of the page
     */
    public static HttpAnswer redirect(String location) {
        return new HttpAnswer(303, null, Map.of(), new byte[0], null, null, null).with("Location", location);
    }

    /**
     * {@return this answer with a header} The header replaces one of the same name.
     *
     * @param name the name
     * @param value the value
     */
    public HttpAnswer with(String name, String value) {
        Map<String, String> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        more.putAll(headers);
        more.put(name, value);
        return new HttpAnswer(status, type, Collections.unmodifiableMap(more), body, gzip, file, later);
    }

    HttpAnswer withBody(int otherStatus, String otherType, byte[] otherBody) {
        return new HttpAnswer(otherStatus, otherType, headers, otherBody, null, null, null);
    }

    HttpAnswer withGzip(byte[] compressed) {
        return new HttpAnswer(status, type, headers, body, compressed, file, later);
    }

    /** Returns the value of a header; null if there is none. */
    String header(String name) {
        return headers.entrySet().stream()
                .filter(each -> each.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
    }
}
