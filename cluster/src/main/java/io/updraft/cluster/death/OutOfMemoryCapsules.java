package io.updraft.cluster.death;

import io.updraft.cluster.death.CapsuleHistory.Sample;
import io.updraft.engine.memory.MemoryWatch;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.management.JMException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a capsule when this process runs out of memory: a text file that says who has filled the heap. The thread that has met
 * the error waits for the capsule, {@value #LIMIT_SECONDS} seconds at most, so that the heap still has its contents. The thread
 * {@code updraft-capsule} writes it, with memory that was reserved at the start. One line tells the result.
 *
 * <p>A capsule that cannot be written changes nothing about the end of the process.
 */
public final class OutOfMemoryCapsules implements MemoryWatch.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemoryCapsules.class);
    private static final int LIMIT_SECONDS = 10;
    private static final int MAX_RESERVE_BYTES = 8 << 20;
    private static final int RESERVE_PART = 32;

    private final DeathDirectory directory;
    private final String process;
    private final Consumer<String> print;
    private final CapsuleHistory history = new CapsuleHistory();
    private final BlockingQueue<Request> requests = new ArrayBlockingQueue<>(1);
    private final AtomicReference<Request> first = new AtomicReference<>();
    private volatile byte[] reserve =
            new byte[(int) Math.min(MAX_RESERVE_BYTES, Runtime.getRuntime().maxMemory() / RESERVE_PART)];

    private record Request(String where, OutOfMemoryError error, CountDownLatch done) {}

    private OutOfMemoryCapsules(DeathDirectory directory, String process, Consumer<String> print) {
        this.directory = directory;
        this.process = process;
        this.print = print;
    }

    /**
     * Writes a capsule from now on when this process runs out of memory.
     *
     * @param directory where the capsule is written; it is created then
     * @param process what the process is, for example {@code worker 1}
     * @param print receives the line for the user
     */
    public static void install(DeathDirectory directory, String process, Consumer<String> print) {
        OutOfMemoryCapsules capsules = new OutOfMemoryCapsules(directory, process, print);
        Thread thread = new Thread(capsules::work, "updraft-capsule");
        thread.setDaemon(true);
        thread.start();
        MemoryWatch.setListener(capsules);
    }

    /** Only the first error of a process gets a capsule; later ones wait for it. */
    @Override
    public void outOfMemory(String where, OutOfMemoryError error) {
        reserve = null;
        Request request = new Request(where, error, new CountDownLatch(1));
        if (first.compareAndSet(null, request)) {
            requests.offer(request);
        }
        try {
            if (!first.get().done.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                LOG.warn("the capsule is not complete after {} s; the process ends without the rest", LIMIT_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        preload();
        while (true) {
            try {
                Request request = requests.poll(CapsuleHistory.SAMPLE_SECONDS, TimeUnit.SECONDS);
                if (request != null) {
                    write(request);
                    return;
                }
                history.add(Sample.take());
            } catch (RuntimeException | OutOfMemoryError e) {
                // The heap is full; the capsule is about to be requested.
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Loads the classes that a capsule needs while there is memory for it. */
    private void preload() {
        try {
            history.add(Sample.take());
            ClassHistogram.preload();
            new CapsuleText(process, "", new OutOfMemoryError(), history).headline();
        } catch (JMException | RuntimeException | OutOfMemoryError e) {
            LOG.debug("cannot prepare for capsules", e);
        }
    }

    private void write(Request request) {
        try {
            CapsuleText text = new CapsuleText(
                    process + " (pid " + ProcessHandle.current().pid() + ")", request.where, request.error, history);
            print.accept("updraft: out of memory: " + text.cause() + "; " + written(text));
        } catch (RuntimeException | OutOfMemoryError e) {
            print.accept("updraft: no capsule could be written: " + e);
        } finally {
            request.done.countDown();
        }
    }

    private String written(CapsuleText text) {
        try {
            Path file = directory.newCapsule(process.replaceAll("[^A-Za-z0-9]+", "-") + "-"
                    + ProcessHandle.current().pid());
            try (Writer out = DeathDirectory.open(file)) {
                text.writeTo(out);
            }
            return "capsule: " + file;
        } catch (IOException e) {
            return "no capsule could be written: " + e;
        }
    }
}
