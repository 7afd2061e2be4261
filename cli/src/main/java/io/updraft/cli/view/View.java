package io.updraft.cli.view;

import java.util.List;

/** Shows the state of the topologies. Safe to use from any thread. */
public interface View extends AutoCloseable {

    /**
     * Shows the state of all topologies.
     *
     * @param samples one for each running topology
     */
    void show(List<Sample> samples);

    /**
     * Prints one line that stays on the screen.
     *
     * @param line the line
     */
    void tell(String line);

    /** Removes the redrawn block and restores the terminal. Printed lines stay. Idempotent. */
    @Override
    void close();
}
