package io.updraft.cli.programs;

import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;

/** Submits a configuration that contains itself. */
public final class Circular {
    private Circular() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        Config conf = CliPrograms.conf();
        conf.put("mine", conf);
        StormSubmitter.submitTopology("numbers", conf, CliPrograms.topology(new CliPrograms.Sink(true, null)));
    }
}
