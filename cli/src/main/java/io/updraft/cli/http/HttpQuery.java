package io.updraft.cli.http;

/**
 * A request for a page.
 *
 * @param path the decoded path, such as {@code /metrics}
 * @param parameters the text after the question mark, as sent; empty if there is none
 * @param accept the header {@code Accept}; empty if there is none
 */
public record HttpQuery(String path, String parameters, String accept) {}
