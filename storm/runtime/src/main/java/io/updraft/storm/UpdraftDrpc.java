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

    private final DrpcRequests requests;
    private final String serviceId;

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
     * @param functionName the function's name, by which a topology fetches the request
     * @param funcArgs the arguments
     * @return the answer
     * @throws DRPCExecutionException when there is no answer; the type tells the reason
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
            return requests.add(Objects.requireNonNull(functionName, "the function's name"), funcArgs);
        } catch (DRPCExecutionException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** {@return the longest waiting request of a function; its id is empty if there is none} */
    @Override
    public DRPCRequest fetchRequest(String functionName) {
        return requests.fetch(functionName);
    }

    /** Answers a request. Does nothing if no caller waits for it any more. */
    @Override
    public void result(String id, String result) {
        requests.answer(id, result);
    }

    /** Fails a request; its caller gets a {@link DRPCExecutionException}. */
    @Override
    public void failRequest(String id) {
        requests.fail(id, null);
    }

    /** Fails a request with an exception for its caller; null for a general one. */
    @Override
    public void failRequestV2(String id, DRPCExecutionException e) {
        requests.fail(id, e);
    }

    /** {@return the number of callers that wait for an answer} */
    public int pending() {
        return requests.size();
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
