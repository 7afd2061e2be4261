package io.updraft.transport.netty;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
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

    private final EventExecutor owner;

    /** Creates a lookup whose answers are delivered on this executor. */
    NameLookup(EventExecutor owner) {
        this.owner = owner;
    }

    Future<InetAddress> find(String host) {
        Promise<InetAddress> answer = owner.newPromise();
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        if (literal != null) {
            find(host, answer);
        } else {
            THREADS.execute(() -> find(host, answer));
        }
        return answer;
    }

    private static void find(String host, Promise<InetAddress> answer) {
        try {
            answer.setSuccess(InetAddress.getByName(host));
        } catch (UnknownHostException unknown) {
            answer.setFailure(unknown);
        }
    }
}
