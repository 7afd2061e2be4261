package io.updraft.http;

import java.util.List;

/**
 * A page and the requests that it answers.
 *
 * @param methods the methods, such as {@code GET}; with GET also HEAD
 * @param atOnce whether the page is made without waiting, on the thread that serves all connections
 * @param page the page
 */
public record HttpRoute(List<String> methods, boolean atOnce, HttpPage page) {
    /**
     * {@return a page for GET and HEAD, made on a thread of its own}
     *
     * @param page the page
     */
    public static HttpRoute get(HttpPage page) {
        return new HttpRoute(List.of("GET", "HEAD"), false, page);
    }

    /**
     * {@return a page for GET and HEAD that is made without waiting}
     *
     * @param page the page, which must not wait
     */
    public static HttpRoute atOnce(HttpPage page) {
        return new HttpRoute(List.of("GET", "HEAD"), true, page);
    }

    /**
     * {@return a page for POST, made on a thread of its own}
     *
     * @param page the page
     */
    public static HttpRoute post(HttpPage page) {
        return new HttpRoute(List.of("POST"), false, page);
    }
}
