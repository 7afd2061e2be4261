package io.updraft.engine.api;

/**
 * The only source of time in the engine. Every event loop receives the clock of the {@link EngineOptions}, so a test can
 * control the time.
 *
 * <p>Implementations must be safe to call from any thread.
 */
public interface EngineClock {

    /** The clocks of the JVM. */
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
     * Wall-clock time, used only in reports for people.
     *
     * @return milliseconds since the epoch
     */
    long currentTimeMillis();
}
