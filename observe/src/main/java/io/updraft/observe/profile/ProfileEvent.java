package io.updraft.observe.profile;

import java.util.List;
import java.util.Locale;

/** What a profile counts. */
public enum ProfileEvent {
    /** Samples of threads that use a processor. The later events replace the first one where the kernel refuses it. */
    CPU("samples", "cpu", "ctimer", "itimer"),
    /** Bytes of sampled allocations. */
    ALLOC("bytes", "alloc"),
    /** Samples of all threads, waiting ones included. */
    WALL("samples", "wall"),
    /** Nanoseconds in which threads waited for locks. */
    LOCK("ns", "lock");

    private final String unit;
    private final List<String> nativeEvents;

    ProfileEvent(String unit, String... nativeEvents) {
        this.unit = unit;
        this.nativeEvents = List.of(nativeEvents);
    }

    /**
     * Finds an event by its name.
     *
     * @param name the name in lower case
     * @return the event
     */
    public static ProfileEvent of(String name) {
        for (ProfileEvent event : values()) {
            if (event.label().equals(name)) {
                return event;
            }
        }
        throw new IllegalArgumentException("there is no event '" + name + "'; the events are cpu, alloc, wall, lock");
    }

    /** {@return the name in lower case} */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return what the numbers of a profile are} */
    public String unit() {
        return unit;
    }

    /** Otherwise a profile adds up what the samples weigh. */
    boolean countsSamples() {
        return unit.equals("samples");
    }

    /** async-profiler's names, in the order in which they are tried. */
    List<String> nativeEvents() {
        return nativeEvents;
    }
}
