package io.updraft.cluster.inspection;

import java.util.Map;

/** Answers one kind of request. Runs on a thread of the server; several requests may be answered at the same time. */
@FunctionalInterface
public interface RequestHandler {
    /**
     * Answers a request.
     *
     * @param request the request, as parsed from JSON
     * @return the answer: maps, lists, strings, numbers, booleans and nulls
     * @throws Exception when the request cannot be answered; the client gets the message
     */
    Map<String, Object> answer(Map<String, Object> request) throws Exception;
}
