package io.updraft.cli.programs;

import org.apache.storm.tuple.Tuple;

/** Has a sink that calls System.exit: in {@code execute} or, with an argument, on a separate thread after main has returned. */
public final class Quitting {
    private Quitting() {}

    /**
     * Runs the program.
     *
     * @param args one for a thread
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new Quitter(args.length > 0));
        if (args.length > 0) {
            System.exit(5);
        }
    }

    static final class Quitter extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private final boolean onThread;
        private boolean started;

        Quitter(boolean onThread) {
            this.onThread = onThread;
        }

        @Override
        public void execute(Tuple tuple) {
            if (!onThread) {
                System.out.println("quits");
                System.exit(3);
            } else if (!started) {
                started = true;
                new Thread(() -> System.exit(6), "quitter").start();
            }
        }
    }
}
