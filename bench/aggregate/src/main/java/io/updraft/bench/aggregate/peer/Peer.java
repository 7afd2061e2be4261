package io.updraft.bench.aggregate.peer;

import java.util.Map;
import java.util.function.Consumer;

/** A system that aggregates. Made by its constructor without arguments, in a JVM that ends after it: nothing is given back. */
public interface Peer {

    /** {@return name and version} */
    String title();

    /** {@return how it is set up, where that is not its default, for the report} */
    Map<String, String> settings(Job job);

    /**
     * Begins; returns when it is under way.
     *
     * @param job what to do
     * @param failed told, on any thread, when it cannot go on
     * @throws Exception when it cannot begin
     */
    void start(Job job, Consumer<Throwable> failed) throws Exception;
}
