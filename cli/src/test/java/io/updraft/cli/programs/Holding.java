package io.updraft.cli.programs;

/** Never acks. */
public final class Holding {
    private Holding() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new CliPrograms.Sink(false, null));
    }
}
