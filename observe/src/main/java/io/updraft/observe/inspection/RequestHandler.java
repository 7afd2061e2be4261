package io.updraft.observe.inspection;

import io.updraft.base.json.JsonObject;
import java.util.function.BooleanSupplier;

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
    JsonObject answer(JsonObject request) throws Exception;

    /**
     * Answers a request that takes long and is worthless once nobody waits for the answer.
     *
     * @param request the request, as parsed from JSON
     * @param isWanted tells whether the client still waits and the server is open; only for this thread
     * @return the answer
     * @throws Exception when the request cannot be answered; the client gets the message
     */
    default JsonObject answer(JsonObject request, BooleanSupplier isWanted) throws Exception {
        return answer(request);
    }
}
