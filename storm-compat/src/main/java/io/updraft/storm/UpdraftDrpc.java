package io.updraft.storm;

import io.updraft.engine.plan.Conf;
import io.updraft.engine.plan.InvalidTopology;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.storm.ILocalDRPC;
import org.apache.storm.generated.DRPCExceptionType;
import org.apache.storm.generated.DRPCExecutionException;
import org.apache.storm.generated.DRPCRequest;
import org.apache.storm.utils.ServiceRegistry;
import org.apache.storm.utils.Utils;

/**
 * Distributed RPC inside this process: what a test or program says instead of {@code new LocalDRPC()}. Topologies are made
 * for it with {@code LinearDRPCTopologyBuilder.createLocalTopology(drpc)}, {@code new DRPCSpout(function, drpc)} or
 * {@code TridentTopology.newDRPCStream(function, drpc)}.
 *
 * <p>A caller always gets an answer: the topology's, or a {@link DRPCExecutionException} when the topology fails the
 * request, when nobody answers in time ({@code drpc.request.timeout.secs}, real time), when too many requests wait
 * ({@link #QUEUE_LIMIT}), or when this is closed.
 *
 * <p>All methods may be called from any thread.
 */
public final class UpdraftDrpc implements ILocalDRPC {

    /** The most requests of one function that wait to be fetched by a topology; more are refused. Default 10,000. */
    public static final String QUEUE_LIMIT = "updraft.drpc.queue.limit";

    /** Storm's {@code DaemonConfig.DRPC_REQUEST_TIMEOUT_SECS}, which is in its server. */
    private static final String REQUEST_TIMEOUT = "drpc.request.timeout.secs";

    private static final int DEFAULT_QUEUE_LIMIT = 10_000;
    private static final int DEFAULT_TIMEOUT_SECS = 600;

    private final DrpcRequests requests;
    private final String serviceId;

    /** Creates a service with the settings of {@code storm.yaml} and Storm's defaults, as {@code LocalDRPC} does. */
    public UpdraftDrpc() {
        this(Utils.readStormConfig());
    }

    /**
     * Creates a service. It can be found by its id from now on.
     *
     * @param conf the settings; of these {@code drpc.request.timeout.secs} and {@link #QUEUE_LIMIT} are looked at
     * @throws IllegalArgumentException when one of them is no whole number of at least 1; the message names it
     */
    public UpdraftDrpc(Map<String, Object> conf) {
        int timeout = atLeastOne(conf, REQUEST_TIMEOUT, DEFAULT_TIMEOUT_SECS);
        requests = new DrpcRequests(Duration.ofSeconds(timeout), atLeastOne(conf, QUEUE_LIMIT, DEFAULT_QUEUE_LIMIT));
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
     * @param functionName the function, by which a topology fetches the request
     * @param funcArgs its arguments
     * @return the answer
     * @throws DRPCExecutionException when there is none; its type says why
     */
    @Override
    public String execute(String functionName, String funcArgs) throws DRPCExecutionException {
        CompletableFuture<String> answer =
                requests.add(Objects.requireNonNull(functionName, "the function's name"), funcArgs);
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer.cancel(false);
            throw DrpcRequests.failure(
                    DRPCExceptionType.INTERNAL_ERROR, "interrupted while '" + functionName + "' was under way");
        } catch (ExecutionException e) {
            throw (DRPCExecutionException) e.getCause();
        }
    }

    /**
     * Calls a function without waiting.
     *
     * @param functionName the function
     * @param funcArgs its arguments
     * @return completes with the answer, or with a {@link DRPCExecutionException} within a
     *     {@link java.util.concurrent.CompletionException}; on the thread of whoever answers, which must not be held up
     */
    public CompletableFuture<String> submit(String functionName, String funcArgs) {
        try {
            return requests.add(Objects.requireNonNull(functionName, "the function's name"), funcArgs);
        } catch (DRPCExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** {@return the longest waiting request of a function; its id is empty when there is none} */
    @Override
    public DRPCRequest fetchRequest(String functionName) {
        return requests.fetch(functionName);
    }

    /** Answers a request. Nothing happens when nobody waits for it any more. */
    @Override
    public void result(String id, String result) {
        requests.answer(id, result);
    }

    /** Fails a request: its caller gets a {@link DRPCExecutionException}. */
    @Override
    public void failRequest(String id) {
        requests.fail(id, null);
    }

    /** Fails a request for a reason, which its caller gets; null for none. */
    @Override
    public void failRequestV2(String id, DRPCExecutionException e) {
        requests.fail(id, e);
    }

    /** {@return how many callers wait for an answer now} */
    public int pending() {
        return requests.size();
    }

    @Override
    @Deprecated
    public void shutdown() {
        close();
    }

    /** Fails all requests that are under way, and refuses those that come later. Idempotent. */
    @Override
    public void close() {
        ServiceRegistry.unregisterService(serviceId);
        requests.close();
    }

    private static int atLeastOne(Map<String, Object> conf, String key, int fallback) {
        try {
            return Conf.integer(conf, key, fallback, 1);
        } catch (InvalidTopology e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
