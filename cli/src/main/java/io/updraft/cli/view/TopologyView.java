package io.updraft.cli.view;

import io.updraft.observe.view.TopologySample;
import java.util.List;

/** Shows the state of the topologies. Safe to use from any thread. */
public interface TopologyView extends AutoCloseable {
    void show(List<TopologySample> samples);

    /** Prints one line that stays on the screen. */
    void print(String line);

    /** Removes the redrawn block and restores the terminal. Printed lines stay. Idempotent. */
    @Override
    void close();
}
