package io.updraft.http;

/** A page that is made anew for each request. */
@FunctionalInterface
public interface HttpPage {
    /**
     * {@return the answer} Several threads may call at the same time.
     *
     * @param query the request
     */
    HttpAnswer get(HttpQuery query);
}
