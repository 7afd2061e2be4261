package io.updraft.cli.programs;

/** Calls System.exit after it has submitted, as clients of a cluster do. */
public final class Exiting {
    private Exiting() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new CliPrograms.Sink(true, null));
        System.exit(7);
    }
}
