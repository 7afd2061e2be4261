package io.updraft.engine.api;

/**
 * The only source of time in the engine: the plan hands one to every loop, so that a test can drive it.
 *
 * <p>Implementations must be safe to call from any thread.
 */
public interface EngineClock {

    /** The machine's own clocks. */
    EngineClock SYSTEM = new EngineClock() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public long currentTimeMillis() {
            return System.currentTimeMillis();
        }
    };

    /**
     * Monotonic time.
     *
     * @return nanoseconds since an arbitrary origin
     */
    long nanoTime();

    /**
     * Wall-clock time, used only for what people read.
     *
     * @return milliseconds since the epoch
     */
    long currentTimeMillis();
}
