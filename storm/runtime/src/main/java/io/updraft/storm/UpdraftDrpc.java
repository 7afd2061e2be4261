package io.updraft.storm;

import io.updraft.base.conf.ConfReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.storm.ILocalDRPC;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DRPCRequest;
import org.apache.storm.utils.ServiceRegistry;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedDRPCExecutionException;

/**
 * Distributed RPC inside this process, for tests and programs, in place of {@code new LocalDRPC()}. Topologies use it by {@code
 * LinearDRPCTopologyBuilder.createLocalTopology(drpc)}, {@code new DRPCSpout(function, drpc)} or {@code
 * TridentTopology.newDRPCStream(function, drpc)}.
 *
 * <p>A caller always gets an answer from the topology or a {@link DRPCExecutionException}. The exception has one of four
 * reasons: the topology failed the request; no answer came in time ({@code drpc.request.timeout.secs}, real time); too many
 * requests are waiting ({@link #QUEUE_LIMIT}); or the service is closed.
 *
 * <p>All methods may be called from any thread.
 */
public class UpdraftDrpc implements ILocalDRPC {

    /**
     * Setting: the maximum number of requests of one function that wait for a topology; further requests are refused. Default
     * 10,000.
     */
    public static final String QUEUE_LIMIT = "updraft.drpc.queue.limit";

    /** Storm's {@code DaemonConfig.DRPC_REQUEST_TIMEOUT_SECS}; that class is part of Storm's server. */
    private static final String REQUEST_TIMEOUT = "drpc.request.timeout.secs";

    private static final int DEFAULT_QUEUE_LIMIT = 10_000;
    private static final int DEFAULT_TIMEOUT_SECS = 600;
    private static final DRPCRequest NONE = new DRPCRequest("", "");
    private final Duration timeout;
    private final int limit;
    private final String serviceId;

    /** The requests of each function that has any which no spout has fetched, in order of arrival; and the lock of all state. */
    private final Map<String, LinkedHashMap<String, Request>> waiting = new HashMap<>();

    private final Map<String, Request> unanswered = new HashMap<>();
    private long lastId;
    private boolean closed;

    /** A request, removed as soon as its caller has an answer or a failure. */
    private record Request(String id, String function, String args, CompletableFuture<String> answer) {}

    /** Creates a service with the settings of {@code storm.yaml} and Storm's defaults, as {@code LocalDRPC} does. */
    public UpdraftDrpc() {
        this(Utils.readStormConfig());
    }

    /**
     * Creates a service and registers it under its id.
     *
     * @param conf the settings; only {@code drpc.request.timeout.secs} and {@link #QUEUE_LIMIT} are used
     * @throws IllegalArgumentException when one of them is not a whole number of at least 1; the message names the setting
     */
    public UpdraftDrpc(Map<String, Object> conf) {
        timeout = Duration.ofSeconds(new ConfReader(conf).integer(REQUEST_TIMEOUT, DEFAULT_TIMEOUT_SECS, 1));
        limit = new ConfReader(conf).integer(QUEUE_LIMIT, DEFAULT_QUEUE_LIMIT, 1);
        serviceId = ServiceRegistry.registerService(this);
    }

    /** {@return the id by which components find this service in Storm's {@code ServiceRegistry}} */
    @Override
    public String getServiceId() {
        return serviceId;
    }

    /**
     * Calls a function and waits for its answer.
     *
     * @param functionName the function's name, by which a topology fetches the request
     * @param funcArgs the arguments
     * @return the answer
     * @throws DRPCExecutionException when there is no answer; the type tells the reason
     */
    @Override
    public String execute(String functionName, String funcArgs) throws DRPCExecutionException {
        CompletableFuture<String> answer = add(functionName, funcArgs);
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.cancel(false);
            throw failure(
                    DRPCExceptionType.INTERNAL_ERROR, "interrupted while waiting for function '" + functionName + "'");
        } catch (ExecutionException e) {
            throw (DRPCExecutionException) e.getCause();
        }
    }

    /**
     * Calls a function without waiting.
     *
     * @param functionName the function's name
     * @param funcArgs the arguments
     * @return completes with the answer, or with a {@link DRPCExecutionException} within a {@link
     *     java.util.concurrent.CompletionException}; on the thread that answers, which must not be blocked
     */
    public CompletableFuture<String> submit(String functionName, String funcArgs) {
        try {
            return add(functionName, funcArgs);
        } catch (DRPCExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** {@return the longest waiting request of a function; its id is empty if there is none} */
    @Override
    public DRPCRequest fetchRequest(String functionName) {
        synchronized (waiting) {
            LinkedHashMap<String, Request> queue = waiting.get(functionName);
            if (queue == null) {
                return NONE;
            }
            Request first = queue.values().iterator().next();
            remove(first);
            return new DRPCRequest(first.args, first.id);
        }
    }

    /** Answers a request. As in Storm, does nothing if no caller waits for it any more. */
    @Override
    public void result(String id, String result) {
        find(id).ifPresent(request -> request.answer.complete(result));
    }

    /** Fails a request; its caller gets a {@link DRPCExecutionException}. */
    @Override
    public void failRequest(String id) {
        failRequestV2(id, null);
    }

    /** Fails a request with an exception for its caller; null for a general one. */
    @Override
    public void failRequestV2(String id, DRPCExecutionException e) {
        DRPCExecutionException reason = e == null ? failure(DRPCExceptionType.FAILED_REQUEST, "Request failed") : e;
        find(id).ifPresent(request -> request.answer.completeExceptionally(reason));
    }

    /** {@return the number of callers that wait for an answer} */
    public int pending() {
        synchronized (waiting) {
            return unanswered.size();
        }
    }

    @Override
    @Deprecated
    public void shutdown() {
        close();
    }

    /** Fails all requests in progress, and refuses later ones. Idempotent. */
    @Override
    public void close() {
        ServiceRegistry.unregisterService(serviceId);
        List<Request> all;
        synchronized (waiting) {
            closed = true;
            all = new ArrayList<>(unanswered.values());
        }
        all.forEach(request -> request.answer.completeExceptionally(shutDown()));
    }

    /** Adds a request; its future completes with the answer or a {@link DRPCExecutionException}. */
    private CompletableFuture<String> add(String function, String args) throws DRPCExecutionException {
        Request request = enqueue(Objects.requireNonNull(function, "the function's name"), args);
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

    private Request enqueue(String function, String args) throws DRPCExecutionException {
        synchronized (waiting) {
            if (closed) {
                throw shutDown();
            }
            LinkedHashMap<String, Request> queue = waiting.get(function);
            if (queue != null && queue.size() >= limit) {
                throw failure(
                        DRPCExceptionType.FAILED_REQUEST,
                        "Request refused: " + limit + " requests of function '" + function
                                + "' are waiting, and no topology fetches them fast enough; see " + QUEUE_LIMIT);
            }
            Request request = new Request(String.valueOf(++lastId), function, args, new CompletableFuture<>());
            unanswered.put(request.id, request);
            waiting.computeIfAbsent(function, each -> new LinkedHashMap<>()).put(request.id, request);
            return request;
        }
    }

    private Optional<Request> find(String id) {
        synchronized (waiting) {
            return Optional.ofNullable(unanswered.get(id));
        }
    }

    private void forget(Request request) {
        synchronized (waiting) {
            unanswered.remove(request.id);
            remove(request);
        }
    }

    private void remove(Request request) {
        LinkedHashMap<String, Request> queue = waiting.get(request.function);
        if (queue != null && queue.remove(request.id) != null && queue.isEmpty()) {
            waiting.remove(request.function);
        }
    }

    private DRPCExecutionException meaningOf(Throwable error, Request request) {
        if (error instanceof DRPCExecutionException reported) {
            return reported;
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

    private static DRPCExecutionException failure(DRPCExceptionType type, String message) {
        DRPCExecutionException failure = new WrappedDRPCExecutionException(message);
        failure.set_type(type);
        return failure;
    }
}
