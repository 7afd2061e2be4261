package io.updraft.http;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

/**
 * A request for a page.
 *
 * @param method the method, such as {@code GET}; a page that answers GET also makes the answers to HEAD
 * @param path the decoded path, such as {@code /metrics}; as sent, for the page of a {@link HttpSite} that has only one
 * @param rawPath the path as sent, percent-encoded
 * @param rawParameters the text after the question mark, as sent; empty if there is none
 * @param parameters the decoded parameters by name, in the order of the request
 * @param headers the headers by name, compared without case; several headers of one name are joined by commas
 * @param body the body; empty if there is none
 * @param peer the address of the client
 * @param local the address of this end of the connection
 * @param user who sends the request, such as {@code alice (uid 1000)}; null without rules of access
 */
public record HttpQuery(
        String method,
        String path,
        String rawPath,
        String rawParameters,
        Map<String, List<String>> parameters,
        Map<String, String> headers,
        byte[] body,
        InetSocketAddress peer,
        InetSocketAddress local,
        String user) {

    /**
     * {@return the header; empty if there is none}
     *
     * @param name the name in any case
     */
    public String header(String name) {
        return headers.getOrDefault(name, "");
    }

    /**
     * {@return the first value of a parameter; null if there is none}
     *
     * @param name the name
     */
    public String parameter(String name) {
        List<String> values = parameters.get(name);
        return values == null ? null : values.get(0);
    }

    /** {@return whether the request may change something: its method is neither GET nor HEAD} */
    public boolean isAction() {
        return !method.equals("GET") && !method.equals("HEAD");
    }

    /**
     * {@return this request with a known user}
     *
     * @param client who sends the request
     */
    public HttpQuery withUser(String client) {
        return new HttpQuery(method, path, rawPath, rawParameters, parameters, headers, body, peer, local, client);
    }
}
