package io.updraft.http;

import java.net.InetSocketAddress;

/** Stands before all pages of a port, also before the answer that there is no such page. */
@FunctionalInterface
public interface HttpFilter {
    /** Answers every request with its page. */
    HttpFilter NONE = (query, page) -> page.get(query);

    /**
     * {@return the answer of the page, or another one instead} Several threads may call at the same time. Must not wait: the
     * caller may be the thread that serves all connections.
     *
     * @param query the request, without a user
     * @param page the page of the request; throws nothing
     */
    HttpAnswer answer(HttpQuery query, HttpPage page);

    /** {@return the filter of a new connection, which may remember who is at the other end} */
    default HttpFilter ofConnection() {
        return this;
    }

    /**
     * {@return whether all requests of a connection will be refused} Connections of strangers have limits of their own, so that
     * they keep out nobody else. Must not wait.
     *
     * @param peer the address of the client
     * @param local the address of this end of the connection
     */
    default boolean isStranger(InetSocketAddress peer, InetSocketAddress local) {
        return false;
    }
}
