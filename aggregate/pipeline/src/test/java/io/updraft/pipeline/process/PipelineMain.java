package io.updraft.pipeline.process;

import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecReader;
import java.nio.file.Path;
import java.time.Duration;

/** Runs a pipeline in a process of its own, until its input ends or its standard input is closed. The argument is its description. */
final class PipelineMain {

    private PipelineMain() {}

    public static void main(String[] arguments) throws Exception {
        PipelineSpec spec = new SpecReader(System.getenv()).read(Path.of(arguments[0]));
        try (RunningPipeline running = Pipelines.start(spec)) {
            Thread watch = new Thread(() -> stopAtTheEndOfInput(running));
            watch.setDaemon(true);
            watch.start();
            while (!running.awaitEnd(Duration.ofSeconds(1))) {
                System.out.println(running.progress());
            }
            System.out.println("ended: " + running.progress());
            if (running.failure() != null) {
                System.out.println("failed: " + running.failure());
                System.exit(1);
            }
        }
        System.exit(0);
    }

    private static void stopAtTheEndOfInput(RunningPipeline running) {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said there.
            }
            running.stop();
        } catch (java.io.IOException e) {
            running.stop();
        }
    }
}
