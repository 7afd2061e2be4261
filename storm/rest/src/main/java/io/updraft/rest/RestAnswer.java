package io.updraft.rest;

import io.updraft.base.json.Json;

/**
 * An answer of the REST API.
 *
 * @param status the HTTP status
 * @param contentType the value of the header {@code Content-Type}
 * @param body the body, to be sent in UTF-8
 */
public record RestAnswer(int status, String contentType, String body) {
    static final String JSON = "application/json;charset=utf-8";
    static final String JAVASCRIPT = "application/javascript;charset=utf-8";

    /** Answers with JSON, or with a call of a function when the request names a callback. */
    static RestAnswer of(int status, Object value, String callback) {
        String json = Json.write(value);
        return callback == null
                ? new RestAnswer(status, JSON, json)
                : new RestAnswer(status, JAVASCRIPT, callback + "(" + json + ");");
    }
}
