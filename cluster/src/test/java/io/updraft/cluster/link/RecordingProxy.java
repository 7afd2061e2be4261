package io.updraft.cluster.link;

import io.updraft.transport.Address;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A proxy between two workers that forwards the bytes of one connection, and records the bytes of the first worker. */
final class RecordingProxy implements AutoCloseable {

    private final ServerSocket redirect;
    private final Address to;
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream();

    RecordingProxy(Address to) throws IOException {
        this.to = to;
        redirect = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"));
        start(this::serve);
    }

    Address address() {
        return new Address("127.0.0.1", redirect.getLocalPort());
    }

    byte[] recorded() {
        synchronized (recorded) {
            return recorded.toByteArray();
        }
    }

    private void serve() throws IOException {
        Socket near = redirect.accept();
        Socket far = new Socket(to.host(), to.port());
        start(() -> pass(near.getInputStream(), far.getOutputStream(), true));
        start(() -> pass(far.getInputStream(), near.getOutputStream(), false));
    }

    private void pass(InputStream from, OutputStream into, boolean listening) throws IOException {
        byte[] bytes = new byte[4_096];
        for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
            if (listening) {
                synchronized (recorded) {
                    recorded.write(bytes, 0, count);
                }
            }
            into.write(bytes, 0, count);
        }
        into.close();
    }

    private interface Job {
        void run() throws IOException;
    }

    private static void start(Job job) {
        Thread thread = new Thread(() -> {
            try {
                job.run();
            } catch (IOException closed) {
                // The test is over, or one of both has left.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        redirect.close();
    }
}
