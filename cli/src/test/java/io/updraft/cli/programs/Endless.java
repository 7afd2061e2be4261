package io.updraft.cli.programs;

/** Emits numbers without end. */
public final class Endless {
    private Endless() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new CliPrograms.Sink(true, null));
    }
}
