package io.updraft.cli.programs;

import org.apache.storm.tuple.Tuple;

/** The sink sleeps for 20 ms in each call, as one that waits for a database does. */
public final class Sleeping {
    private static final long CALL_MILLIS = 20;
    private static final int SHOWN_AFTER = 20;

    private Sleeping() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new SleepingSink());
    }

    private static final class SleepingSink extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private transient int executed;

        @Override
        public void execute(Tuple tuple) {
            try {
                Thread.sleep(CALL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (++executed == SHOWN_AFTER) {
                System.out.println("slept");
            }
            out.ack(tuple);
        }
    }
}
