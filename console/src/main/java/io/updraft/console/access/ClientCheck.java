package io.updraft.console.access;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpQuery;
import java.net.InetSocketAddress;

/** Finds out who sends a request. Safe to use from any thread. */
@FunctionalInterface
interface ClientCheck {
    /** Returns who sends a request, or the answer to somebody who may not. */
    Client check(HttpQuery query);

    /** Returns whether all requests of a connection will be refused. */
    default boolean isStranger(InetSocketAddress peer, InetSocketAddress local) {
        return false;
    }

    /**
     * Who sends a request.
     *
     * @param user the words for the audit; null if unknown
     * @param answer the answer that is sent instead of the page; null if the client may see pages
     */
    record Client(String user, HttpAnswer answer) {
        static Client user(String user) {
            return new Client(user, null);
        }

        static Client refused(HttpAnswer answer) {
            return new Client(null, answer);
        }
    }
}
