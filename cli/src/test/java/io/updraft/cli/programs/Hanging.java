package io.updraft.cli.programs;

import java.util.concurrent.CountDownLatch;
import org.apache.storm.tuple.Tuple;

/** Waits forever in the first call of execute, for a lock that a thread of the program holds. */
public final class Hanging {
    private Hanging() {}

    /**
     * Runs the program.
     *
     * @param args none
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new LockedSink());
    }

    private static final class LockedSink extends ProgramBolt {
        private static final long serialVersionUID = 1L;

        @Override
        public void execute(Tuple tuple) {
            Object lock = new Object();
            CountDownLatch held = new CountDownLatch(1);
            Thread holder = new Thread(
                    () -> {
                        synchronized (lock) {
                            held.countDown();
                            sleep();
                        }
                    },
                    "holder");
            holder.setDaemon(true);
            holder.start();
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            synchronized (lock) {
                System.out.println("never printed");
            }
        }

        private static void sleep() {
            try {
                Thread.sleep(Long.MAX_VALUE);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
