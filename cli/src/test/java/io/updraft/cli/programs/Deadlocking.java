package io.updraft.cli.programs;

import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** Its sink waits forever for a lock of a thread of its own, which waits for a lock of the sink. */
public final class Deadlocking {
    private Deadlocking() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new Hanging());
    }

    private static final class Hanging extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private transient Object inner;
        private transient Object outer;
        private transient CountDownLatch innerHeld;
        private transient CountDownLatch outerHeld;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            inner = new Object();
            outer = new Object();
            innerHeld = new CountDownLatch(1);
            outerHeld = new CountDownLatch(1);
            Thread flusher = new Thread(this::flush, "flusher");
            flusher.setDaemon(true);
            flusher.start();
        }

        private void flush() {
            synchronized (inner) {
                innerHeld.countDown();
                await(outerHeld);
                synchronized (outer) {
                    System.out.println("never");
                }
            }
        }

        @Override
        public void execute(Tuple tuple) {
            synchronized (outer) {
                await(innerHeld);
                System.out.println("hangs");
                outerHeld.countDown();
                synchronized (inner) {
                    System.out.println("never");
                }
            }
        }

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
