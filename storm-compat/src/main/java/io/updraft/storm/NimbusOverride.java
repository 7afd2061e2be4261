package io.updraft.storm;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.utils.NimbusClient;

/**
 * Whom Storm's client takes for Nimbus in this process ({@code NimbusClient}, {@code StormSubmitter}): the newest override that is open.
 * Storm's own keeps one, and forgets it when any is closed.
 *
 * <p>Safe to use from any thread.
 */
public final class NimbusOverride implements AutoCloseable {
    private static final Deque<NimbusOverride> OPEN = new ArrayDeque<>();

    private final Nimbus.Iface nimbus;

    private NimbusOverride(Nimbus.Iface nimbus) {
        this.nimbus = nimbus;
    }

    /**
     * Lets Storm's client of this process call a Nimbus until this is closed, or until another is opened.
     *
     * @param nimbus takes the calls
     * @return the override
     */
    public static NimbusOverride open(Nimbus.Iface nimbus) {
        NimbusOverride override = new NimbusOverride(nimbus);
        synchronized (OPEN) {
            OPEN.push(override);
            apply();
        }
        return override;
    }

    /** Lets Storm's client call whom it would call if this had not been opened. Idempotent. */
    @Override
    public void close() {
        synchronized (OPEN) {
            if (OPEN.remove(this)) {
                apply();
            }
        }
    }

    /** Storm's override is in force by being made; of null there is none. */
    @SuppressWarnings("try")
    private static void apply() {
        NimbusOverride newest = OPEN.peek();
        new NimbusClient.LocalOverride(newest == null ? null : newest.nimbus);
    }
}
