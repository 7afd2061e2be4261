package io.updraft.bench.compat;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs programs one after the other, each on both sides at the same time unless its sides must run alone. */
final class ProgramComparisons {
    private final CompatRequest request;
    private final SideCommands sides;
    private final PrintWriter out;

    /** The rows go to {@code out} in the programs' order, each as soon as it is known. */
    ProgramComparisons(CompatRequest request, PrintWriter out) throws IOException {
        this.request = request;
        this.sides = SideCommands.of(request.javaHome(), request.jar(), request.storm(), request.directory());
        this.out = out;
    }

    /** {@return one row per program, in the order of the programs} */
    List<CompatRow> run(List<ComparedProgram> programs) throws IOException, InterruptedException {
        ExecutorService sidesOf = Executors.newCachedThreadPool();
        try {
            List<CompatRow> rows = new ArrayList<>();
            for (ComparedProgram program : programs) {
                CompatRow row = program.without().isEmpty() ? run(program, sidesOf) : CompatRow.notRun(program);
                rows.add(row);
                out.println(row.markdown());
                out.flush();
            }
            return rows;
        } finally {
            sidesOf.shutdownNow();
        }
    }

    private CompatRow run(ComparedProgram program, ExecutorService sidesOf) throws IOException, InterruptedException {
        Duration wanted = program.seconds() > 0 ? Duration.ofSeconds(program.seconds()) : request.time();
        ProgramRun onStorm = new ProgramRun(place(program, "storm"), wanted, program.awaited());
        ProgramRun onUpdraft = new ProgramRun(place(program, "updraft"), wanted, program.awaited());
        Future<BehaviourObservation> storm = sidesOf.submit(() -> {
            if (request.again() && onStorm.isSaved()) {
                return onStorm.savedObservation();
            }
            onStorm.prepare(program.before());
            return onStorm.run(sides.onStorm(program, onStorm));
        });
        if (program.alone()) {
            get(storm);
        }
        Future<BehaviourObservation> updraft = sidesOf.submit(() -> {
            onUpdraft.prepare(program.before());
            return onUpdraft.run(sides.onUpdraft(program, onUpdraft));
        });
        return CompatRow.of(program, get(storm), get(updraft));
    }

    private static <T> T get(Future<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }

    private Path place(ComparedProgram program, String side) throws IOException {
        Path place = request.directory().resolve(program.name()).resolve(side);
        Files.createDirectories(place);
        return place;
    }
}
