package io.updraft.observe.death;

import io.updraft.base.text.VisibleText;
import io.updraft.base.thread.DaemonThreads;
import io.updraft.engine.api.MemoryWatch;
import io.updraft.observe.death.CapsuleHistory.Sample;
import io.updraft.observe.heap.InstanceMemory;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.management.JMException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a capsule when this process runs out of memory: a text file that says who has filled the heap. The thread {@code
 * updraft-capsule} writes it, with memory that was reserved at the start. Meanwhile the thread that has met the error waits, so
 * that the heap keeps its contents, but not longer than {@value #LOOK_MILLIS} ms: a collector may run at every allocation in a full
 * heap. The end of the process waits for the rest. One line tells the result. Until then the thread watches whether the heap fills
 * up.
 *
 * <p>A capsule that cannot be written changes nothing about the end of the process.
 */
public final class OutOfMemoryCapsules implements MemoryWatch.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(OutOfMemoryCapsules.class);
    private static final long LOOK_MILLIS = 5_000;
    private static final long LIMIT_MILLIS = 10_000;
    private static final long PAUSE_MILLIS = 10;
    private static final int LOOKED = 1;
    private static final int WRITTEN = 2;
    private static final long READ_MILLIS = 500;

    /** To load the classes of a capsule costs a tenth of a second, which a short run does not need. */
    private static final int PRELOAD_READING = 4;

    private static final int READINGS_PER_SAMPLE = CapsuleHistory.SAMPLE_SECONDS * 2;
    private static final int MAX_RESERVE_BYTES = 8 << 20;
    private static final int RESERVE_PART = 16;

    private final DeathDirectory directory;
    private final String process;
    private final Consumer<String> print;
    private final CapsuleHistory history = new CapsuleHistory();
    private final Semaphore requests = new Semaphore(0);
    private volatile byte[] reserve = newReserve();

    /** Made at the start: the thread that meets the error must not need memory. */
    private final Request first = new Request();

    /** The first error, with its time by {@link System#nanoTime()}, and how far the capsule is. */
    private static final class Request {
        private final AtomicBoolean made = new AtomicBoolean();
        private volatile long nanos;
        private volatile String place;
        private volatile OutOfMemoryError error;
        private volatile int stage;
    }

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

    @Override
    public void makeRoom() {
        reserve = null;
    }

    /** Only the first error of a process gets a capsule. */
    @Override
    public void outOfMemory(String place, OutOfMemoryError error) {
        if (first.made.compareAndSet(false, true)) {
            first.nanos = System.nanoTime();
            first.place = place;
            first.error = error;
            requests.release();
        }
        await(LOOKED, LOOK_MILLIS);
    }

    @Override
    public void awaitWritten() {
        if (first.made.get() && !await(WRITTEN, LIMIT_MILLIS)) {
            LOG.warn("the capsule is not complete after {} ms; the process ends without the rest", LIMIT_MILLIS);
        }
    }

    /** Waits until so many milliseconds after the error. Asks again and again, because to be woken up needs memory. */
    private boolean await(int count, long millis) {
        long limit = TimeUnit.MILLISECONDS.toNanos(millis);
        try {
            while (first.stage < count && (first.error == null || System.nanoTime() - first.nanos < limit)) {
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return first.stage >= count;
    }

    private static byte[] newReserve() {
        return new byte[(int) Math.min(MAX_RESERVE_BYTES, Runtime.getRuntime().maxMemory() / RESERVE_PART)];
    }

    private void work() {
        HeapWatch heap = new HeapWatch();
        boolean preloaded = false;
        for (int reading = 1; ; reading++) {
            try {
                if (requests.tryAcquire(READ_MILLIS, TimeUnit.MILLISECONDS)) {
                    write();
                    return;
                }
                heap.read(System.nanoTime());
                if (!preloaded && (reading == PRELOAD_READING || heap.isFilling())) {
                    preload();
                    preloaded = true;
                }
                if (reserve == null && !heap.isFilling()) {
                    reserve = newReserve();
                }
                if (reading % READINGS_PER_SAMPLE == 0) {
                    history.add(Sample.take());
                }
            } catch (OutOfMemoryError e) {
                // The heap is full. It may take seconds until another thread fails: the next reading gets the memory
                // for a look.
                makeRoom();
            } catch (RuntimeException e) {
                LOG.debug("cannot read the heap", e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** Loads the classes that a capsule needs while there is memory for it. A short run whose heap does not fill does without. */
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

    private void write() {
        try {
            CapsuleText text = new CapsuleText(
                    process + " (pid " + ProcessHandle.current().pid() + ")", first.place, first.error, history);
            print.accept(VisibleText.of("updraft: out of memory: " + text.cause() + "; " + written(text)));
        } catch (RuntimeException | OutOfMemoryError e) {
            print.accept("updraft: no capsule could be written: " + e);
        } finally {
            first.stage = WRITTEN;
        }
    }

    private String written(CapsuleText text) {
        try {
            Path file = directory.newCapsule(process.replaceAll("[^A-Za-z0-9]+", "-") + "-"
                    + ProcessHandle.current().pid());
            try (Writer out = DeathDirectory.open(file)) {
                text.writeTo(out, () -> first.stage = LOOKED);
            }
            return "capsule: " + file;
        } catch (IOException e) {
            return "no capsule could be written: " + e;
        }
    }
}
