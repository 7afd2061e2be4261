package io.updraft.cli.view;

import java.util.List;

/** Where the state of the topologies is shown. Safe to use from any thread. */
public interface View extends AutoCloseable {

    /**
     * Shows the state of all topologies.
     *
     * @param samples one for each running topology
     */
    void show(List<Sample> samples);

    /**
     * Tells one thing that stays on the screen.
     *
     * @param line one line
     */
    void tell(String line);

    /** Takes the moving parts off the screen and gives the terminal back; what was told stays. Idempotent. */
    @Override
    void close();
}
