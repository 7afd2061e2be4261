package io.updraft.storm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DRPCRequest;
import org.apache.storm.utils.WrappedDRPCExecutionException;

/**
 * The open DRPC requests: by function until a spout fetches them, and by id until they are answered. A request is removed as
 * soon as its caller has an answer or a failure.
 *
 * <p>Safe to use from any thread. No foreign code runs under the lock.
 */
final class DrpcRequests {

    /** The reply to a fetch when there is no request. */
    private static final DRPCRequest NONE = new DRPCRequest("", "");

    private final Duration timeout;
    private final int limit;
    private final Map<String, Request> unanswered = new HashMap<>();

    /** The requests of each function that has any, in order of arrival. */
    private final Map<String, LinkedHashMap<String, Request>> waiting = new HashMap<>();

    private long lastId;
    private boolean closed;

    private record Request(String id, String function, String args, CompletableFuture<String> answer) {}

    /**
     * Creates a queue without requests.
     *
     * @param timeout the maximum time a caller waits
     * @param limit the maximum number of requests of one function that wait to be fetched
     */
    DrpcRequests(Duration timeout, int limit) {
        this.timeout = timeout;
        this.limit = limit;
    }

    /** Adds a request; its future completes with the answer or a {@link DRPCExecutionException}. */
    CompletableFuture<String> add(String function, String args) throws DRPCExecutionException {
        Request request = enqueue(function, args);
        CompletableFuture<String> outcome = request.answer.handle((result, error) -> {
            forget(request);
            if (error == null) {
                return result;
            }
            throw new CompletionException(meaningOf(error, request));
        });
        // A caller who cancels the returned future no longer waits.
        outcome.whenComplete((result, error) -> {
            forget(request);
            request.answer.cancel(false);
        });
        request.answer.orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return outcome;
    }

    /** Returns the longest waiting request of a function, or a request with an empty id if there is none. */
    synchronized DRPCRequest fetch(String function) {
        LinkedHashMap<String, Request> queue = waiting.get(function);
        if (queue == null) {
            return NONE;
        }
        Request first = queue.values().iterator().next();
        remove(first);
        return new DRPCRequest(first.args, first.id);
    }

    /** Answers a request. As in Storm, nothing happens if no caller waits for it any more. */
    void answer(String id, String result) {
        Request request = find(id);
        if (request != null) {
            request.answer.complete(result);
        }
    }

    /** Fails a request if a caller still waits for it. */
    void fail(String id, DRPCExecutionException reason) {
        Request request = find(id);
        if (request != null) {
            request.answer.completeExceptionally(
                    reason == null ? failure(DRPCExceptionType.FAILED_REQUEST, "Request failed") : reason);
        }
    }

    /** Fails all requests, and all that arrive later. Idempotent. */
    void close() {
        List<Request> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(unanswered.values());
        }
        all.forEach(request -> request.answer.completeExceptionally(shutDown()));
    }

    /** Returns the number of callers that wait for an answer. */
    synchronized int size() {
        return unanswered.size();
    }

    private synchronized Request enqueue(String function, String args) throws DRPCExecutionException {
        if (closed) {
            throw shutDown();
        }
        LinkedHashMap<String, Request> queue = waiting.get(function);
        if (queue != null && queue.size() >= limit) {
            throw failure(
                    DRPCExceptionType.FAILED_REQUEST,
                    "Request refused: " + limit + " requests of function '" + function
                            + "' are waiting, and no topology fetches them fast enough; see "
                            + UpdraftDrpc.QUEUE_LIMIT);
        }
        Request request = new Request(String.valueOf(++lastId), function, args, new CompletableFuture<>());
        unanswered.put(request.id, request);
        waiting.computeIfAbsent(function, each -> new LinkedHashMap<>()).put(request.id, request);
        return request;
    }

    private synchronized Request find(String id) {
        return unanswered.get(id);
    }

    private synchronized void forget(Request request) {
        unanswered.remove(request.id);
        remove(request);
    }

    private void remove(Request request) {
        LinkedHashMap<String, Request> queue = waiting.get(request.function);
        if (queue != null && queue.remove(request.id) != null && queue.isEmpty()) {
            waiting.remove(request.function);
        }
    }

    private DRPCExecutionException meaningOf(Throwable error, Request request) {
        if (error instanceof DRPCExecutionException known) {
            return known;
        }
        if (error instanceof TimeoutException) {
            return failure(
                    DRPCExceptionType.SERVER_TIMEOUT,
                    "Timed Out: function '" + request.function + "' did not answer within " + timeout.toSeconds()
                            + " s");
        }
        return failure(DRPCExceptionType.INTERNAL_ERROR, "Internal Error: " + error);
    }

    private static DRPCExecutionException shutDown() {
        return failure(DRPCExceptionType.SERVER_SHUTDOWN, "Server Shutting Down");
    }

    static DRPCExecutionException failure(DRPCExceptionType type, String message) {
        DRPCExecutionException failure = new WrappedDRPCExecutionException(message);
        failure.set_type(type);
        return failure;
    }
}
