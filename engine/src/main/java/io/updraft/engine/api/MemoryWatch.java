package io.updraft.engine.api;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The engines of this process, and the listener for its end when the heap is full. Static, because all engines of a process share
 * the heap. Safe to use from any thread.
 */
public final class MemoryWatch {
    private static final List<ObservedEngine> ENGINES = new CopyOnWriteArrayList<>();
    private static final Listener NONE = new Listener() {
        @Override
        public void makeRoom() {}

        @Override
        public void outOfMemory(String where, OutOfMemoryError error) {}

        @Override
        public void awaitWritten() {}
    };
    private static volatile Listener listener = NONE;

    private MemoryWatch() {}

    /** Is told that the process has run out of memory, while what has filled the heap is still there. */
    public interface Listener {
        /** Releases memory that was reserved for the end. Needs no memory itself. */
        void makeRoom();

        /**
         * Looks at the heap. Runs on the thread that has met the error, which releases memory afterwards.
         *
         * @param where which code has met the error
         * @param error the error
         */
        void outOfMemory(String where, OutOfMemoryError error);

        /** Waits for what the listener writes about the errors so far, for some seconds at most. */
        void awaitWritten();
    }

    /**
     * Adds an engine that has started.
     *
     * @param engine the engine
     */
    public static void add(ObservedEngine engine) {
        ENGINES.add(engine);
    }

    /**
     * Removes an engine that has ended.
     *
     * @param engine the engine
     */
    public static void remove(ObservedEngine engine) {
        ENGINES.remove(engine);
    }

    /** {@return the engines that run in this process} */
    public static List<ObservedEngine> engines() {
        return ENGINES;
    }

    /**
     * Sets the listener of this process.
     *
     * @param next replaces the listener
     */
    public static void setListener(Listener next) {
        listener = next;
    }

    /**
     * Tells the listener of an error, if it is an OutOfMemoryError. Call this before anything that holds memory is released, and
     * before anything that needs memory. Throws nothing.
     *
     * @param component the component that has met the error
     * @param task its task
     * @param during which of its code
     * @param error the error
     */
    public static void componentFailed(String component, int task, String during, Throwable error) {
        if (error instanceof OutOfMemoryError full) {
            try {
                listener.makeRoom();
                listener.outOfMemory("component '" + component + "', task " + task + ", " + during, full);
            } catch (RuntimeException | Error e) {
                // The process ends anyway, and the heap is full: nothing can be done about a second failure.
            }
        }
    }

    /**
     * Tells the listener of an error in a thread that runs no component, as {@link #componentFailed} does.
     *
     * @param thread the thread that has met the error
     * @param error the error
     */
    public static void threadFailed(Thread thread, Throwable error) {
        if (error instanceof OutOfMemoryError full) {
            try {
                listener.makeRoom();
                listener.outOfMemory("thread '" + thread.getName() + "'", full);
            } catch (RuntimeException | Error e) {
                // As above.
            }
        }
    }

    /**
     * Ends the turns of all components, then tells the listener. For an error that will end this process: the components would take
     * the memory that the listener needs. Throws nothing.
     *
     * @param thread the thread that has met the error
     * @param error the error
     */
    public static void processFailed(Thread thread, Throwable error) {
        for (int engine = 0; error instanceof OutOfMemoryError && engine < ENGINES.size(); engine++) {
            ENGINES.get(engine).endTurns();
        }
        threadFailed(thread, error);
    }

    /** Waits until the listener has written about the errors so far. Call this before the process ends. Throws nothing. */
    public static void awaitWritten() {
        try {
            listener.awaitWritten();
        } catch (RuntimeException | Error e) {
            // As above.
        }
    }
}
