package io.updraft.cli.programs;

import org.apache.storm.topology.WindowedBoltExecutor;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.windowing.TupleWindow;

/** Has a count window, which keeps tuples until more tuples arrive. */
public final class Windowing {
    private Windowing() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new WindowedBoltExecutor(new Sums().withTumblingWindow(BaseWindowedBolt.Count.of(40))));
    }

    static final class Sums extends BaseWindowedBolt {
        private static final long serialVersionUID = 1L;
        private transient boolean reported;

        @Override
        public void execute(TupleWindow window) {
            if (!reported) {
                reported = true;
                System.out.println("running");
            }
        }
    }
}
