package io.updraft.cli.programs;

import io.updraft.storm.UpdraftCluster;

/** Makes its own cluster, closes it after a line on standard input or the end of the topology, then prints a result. */
public final class OwnCluster {
    private static final long POLL_MILLIS = 10;
    private static final int EXIT_CODE = 7;

    private OwnCluster() {}

    /**
     * Runs the program.
     *
     * @param args any: it exits before it has ended its cluster
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        try (UpdraftCluster cluster = new UpdraftCluster()) {
            cluster.submitTopology(
                    "numbers", CliPrograms.conf(), CliPrograms.topology(new CliPrograms.Sink(true, null)));
            while (System.in.available() == 0 && !cluster.topologyNames().isEmpty()) {
                Thread.sleep(POLL_MILLIS);
            }
            if (args.length > 0) {
                System.exit(EXIT_CODE);
            }
        }
        System.out.println("the result");
    }
}
