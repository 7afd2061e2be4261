package io.updraft.transport.netty;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Resolves host names. A name server may take seconds to answer, and the JDK's lookup blocks. Lookups therefore run on threads
 * of their own, which end when they are idle, and the owner does not wait.
 */
final class NameLookup {

    private static final ExecutorService THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "updraft-name-lookup");
        thread.setDaemon(true);
        return thread;
    });

    private NameLookup() {}

    /** Returns the address of a host, delivered on the executor of the owner. */
    static Future<InetAddress> find(String host, EventExecutor owner) {
        Promise<InetAddress> answer = owner.newPromise();
        boolean isLiteral = NetUtil.createByteArrayFromIpAddressString(host) != null;
        Executor executor = isLiteral ? Runnable::run : THREADS;
        executor.execute(() -> {
            try {
                answer.setSuccess(InetAddress.getByName(host));
            } catch (UnknownHostException unknown) {
                answer.setFailure(unknown);
            }
        });
        return answer;
    }
}
