package io.updraft.cli.http;

/**
 * The answer to a request for a page.
 *
 * @param status the HTTP status
 * @param type the content type
 * @param body the body, sent as UTF-8
 */
public record HttpAnswer(int status, String type, String body) {
    /** The content type of plain text. */
    static final String TEXT = "text/plain; charset=utf-8";

    /**
     * {@return an answer in plain text}
     *
     * @param status the HTTP status
     * @param body the text
     */
    public static HttpAnswer text(int status, String body) {
        return new HttpAnswer(status, TEXT, body);
    }
}
