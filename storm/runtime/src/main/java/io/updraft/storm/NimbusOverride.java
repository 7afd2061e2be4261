package io.updraft.storm;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.utils.NimbusClient;

/**
 * Redirects Storm's client in this process ({@code NimbusClient}, {@code StormSubmitter}) to another Nimbus: the newest open
 * override applies. Storm's own {@code LocalOverride} holds only one, and drops it when any override is closed.
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
     * Redirects Storm's client of this process to a Nimbus until this override is closed, or until another one is opened.
     *
     * @param nimbus receives the calls
     * @return the override, to be closed by the caller
     */
    public static NimbusOverride open(Nimbus.Iface nimbus) {
        NimbusOverride override = new NimbusOverride(nimbus);
        synchronized (OPEN) {
            OPEN.push(override);
            apply();
        }
        return override;
    }

    /** Restores the Nimbus that Storm's client would call without this override. Idempotent. */
    @Override
    public void close() {
        synchronized (OPEN) {
            if (OPEN.remove(this)) {
                apply();
            }
        }
    }

    /** Sets the newest override in Storm's client. The constructor sets it; null sets none. */
    @SuppressWarnings("try")
    private static void apply() {
        NimbusOverride newest = OPEN.peek();
        new NimbusClient.LocalOverride(newest == null ? null : newest.nimbus);
    }
}
