package io.updraft.bench.aggregate;

import io.updraft.base.json.Json;
import io.updraft.bench.spec.ChildReport;
import io.updraft.observe.pipeline.PipelineProgress;
import io.updraft.pipeline.run.Pipelines;
import io.updraft.pipeline.run.RunningPipeline;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecReader;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** The child JVM: reads a {@link PipelineJob}, runs it once, reports its {@link PartUsage}, and ends. */
final class PipelineMain {

    /** The report of the {@link PartUsage} of the second half of the records. */
    static final String END = "end";

    private static final double WARM_UP = 0.5;
    /** Longer than the parent waits. */
    private static final Duration LIMIT = Duration.ofDays(1);

    private final PipelineJob job;
    private final PipelineSpec spec;
    private long records;

    private PipelineMain(PipelineJob job) throws Exception {
        this.job = job;
        spec = new SpecReader(Map.of()).read("files.yaml", job.description(), "files");
    }

    /**
     * Runs the child.
     *
     * @throws Exception when the job fails; the JVM then ends with a stack trace in its log
     */
    public static void main(String[] args) throws Exception {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PipelineJob job = Json.read(in.readLine(), PipelineJob.class);
        PartUsage usage = new PipelineMain(job).run();
        ChildReport.print(out, END, usage);
        Runtime.getRuntime().halt(0);
    }

    private PartUsage run() throws Exception {
        PartUsage usage = job.part() == PipelinePart.PIPELINE ? pipeline() : part();
        if (records != job.records()) {
            throw new IllegalStateException(records + " of " + job.records() + " records were read");
        }
        return usage;
    }

    private PartUsage pipeline() throws Exception {
        try (RunningPipeline running = Pipelines.start(spec)) {
            PartSampler sampler = new PartSampler(() -> running.progress().rows(), () -> 0, first());
            running.awaitEnd(LIMIT);
            PartUsage usage = sampler.end();
            if (running.failure() != null) {
                throw new IllegalStateException(running.failure());
            }
            PipelineProgress end = running.progress();
            records = end.rows() - end.late();
            return usage;
        }
    }

    private PartUsage part() throws Exception {
        try (PartRun part = new PartRun(job, spec)) {
            PartSampler sampler = new PartSampler(part::records, part::resultNanos, first());
            part.run();
            records = part.records();
            return sampler.end();
        }
    }

    private long first() {
        return (long) (job.records() * WARM_UP);
    }
}
