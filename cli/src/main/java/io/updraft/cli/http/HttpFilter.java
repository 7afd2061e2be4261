package io.updraft.cli.http;

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
}
