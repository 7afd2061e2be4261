package io.updraft.observe.death;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.engine.memory.InstanceMemory;
import io.updraft.engine.memory.MemoryWatch;
import io.updraft.observe.death.CapsuleHistory.Sample;
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
 * Writes a capsule when this process runs out of memory: a text file that says who has filled the heap. The thread {@code
 * updraft-capsule} writes it, with memory that was reserved at the start. Meanwhile the thread that has met the error waits, so
 * that the heap keeps its contents, but not longer than {@value #LOOK_MILLIS} ms: a collector may run at every allocation in a full
 * heap. The end of the process waits for the rest. One line tells the result.
 *
 * <p>A capsule that cannot be written changes nothing about the end of the process.
 */
public final class OutOfMemoryCapsules implements MemoryWatch.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemoryCapsules.class);
    private static final long LOOK_MILLIS = 5_000;
    private static final long LIMIT_MILLIS = 10_000;
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

    /** The first error, with its time by {@link System#nanoTime()}. */
    private record Request(
            String where, OutOfMemoryError error, long nanos, CountDownLatch looked, CountDownLatch written) {}

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
        DaemonThreads.start("updraft-capsule", capsules::work);
        MemoryWatch.setListener(capsules);
    }

    /** Only the first error of a process gets a capsule. */
    @Override
    public void outOfMemory(String where, OutOfMemoryError error) {
        reserve = null;
        Request request = new Request(where, error, System.nanoTime(), new CountDownLatch(1), new CountDownLatch(1));
        if (first.compareAndSet(null, request)) {
            requests.offer(request);
        }
        await(first.get().looked, LOOK_MILLIS);
    }

    @Override
    public void awaitWritten() {
        Request request = first.get();
        if (request != null && !await(request.written, LIMIT_MILLIS)) {
            LOG.warn("the capsule is not complete after {} ms; the process ends without the rest", LIMIT_MILLIS);
        }
    }

    /** Waits until so many milliseconds after the error. */
    private boolean await(CountDownLatch latch, long millis) {
        long left = TimeUnit.MILLISECONDS.toNanos(millis) - (System.nanoTime() - first.get().nanos);
        try {
            return latch.await(left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
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
            InstanceMemory.preload();
            new CapsuleText(process, "", new OutOfMemoryError(), history).preload();
        } catch (IOException | JMException | RuntimeException | OutOfMemoryError e) {
            LOG.debug("cannot prepare for capsules", e);
        }
    }

    private void write(Request request) {
        try {
            CapsuleText text = new CapsuleText(
                    process + " (pid " + ProcessHandle.current().pid() + ")", request.where, request.error, history);
            print.accept("updraft: out of memory: " + text.cause() + "; " + written(text, request.looked));
        } catch (RuntimeException | OutOfMemoryError e) {
            print.accept("updraft: no capsule could be written: " + e);
        } finally {
            request.looked.countDown();
            request.written.countDown();
        }
    }

    private String written(CapsuleText text, CountDownLatch looked) {
        try {
            Path file = directory.newCapsule(process.replaceAll("[^A-Za-z0-9]+", "-") + "-"
                    + ProcessHandle.current().pid());
            try (Writer out = DeathDirectory.open(file)) {
                text.writeTo(out, looked::countDown);
            }
            return "capsule: " + file;
        } catch (IOException e) {
            return "no capsule could be written: " + e;
        }
    }
}
