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

/** Runs several programs at the same time, each on both sides at the same time unless it must run alone. */
final class Survey {
    private final CompatRequest request;
    private final Sides sides;
    private final PrintWriter out;

    /** Held while a program runs that must run {@link Program#alone alone}. */
    private final Object alone = new Object();

    /** The rows go to {@code out} in the programs' order, each as soon as it is known. */
    Survey(CompatRequest request, PrintWriter out) throws IOException {
        this.request = request;
        this.sides = Sides.of(request.javaHome(), request.jar(), request.storm(), request.directory());
        this.out = out;
    }

    /** {@return one row per program, in the order of the programs} */
    List<Row> run(List<Program> programs) throws IOException, InterruptedException {
        ExecutorService several = Executors.newFixedThreadPool(request.parallel());
        ExecutorService sidesOf = Executors.newCachedThreadPool();
        try {
            List<Future<Row>> running = new ArrayList<>();
            for (Program program : programs) {
                running.add(several.submit(() -> run(program, sidesOf)));
            }
            List<Row> rows = new ArrayList<>();
            for (Future<Row> row : running) {
                rows.add(get(row));
                out.println(rows.get(rows.size() - 1).markdown());
                out.flush();
            }
            return rows;
        } finally {
            several.shutdownNow();
            sidesOf.shutdownNow();
        }
    }

    private Row run(Program program, ExecutorService sidesOf) throws IOException, InterruptedException {
        if (!program.without().isEmpty()) {
            return Row.notRun(program);
        }
        if (!program.alone()) {
            return runBoth(program, sidesOf);
        }
        synchronized (alone) {
            return runBoth(program, sidesOf);
        }
    }

    private Row runBoth(Program program, ExecutorService sidesOf) throws IOException, InterruptedException {
        Duration wanted = program.seconds() > 0 ? Duration.ofSeconds(program.seconds()) : request.time();
        Trial onStorm = new Trial(place(program, "storm"), wanted, program.awaited());
        Trial onUpdraft = new Trial(place(program, "updraft"), wanted, program.awaited());
        Future<Observation> storm = sidesOf.submit(() -> {
            if (request.again() && onStorm.isKept()) {
                return onStorm.kept();
            }
            onStorm.prepare(program.before());
            return onStorm.run(sides.onStorm(program, onStorm));
        });
        if (program.alone()) {
            get(storm);
        }
        Future<Observation> updraft = sidesOf.submit(() -> {
            onUpdraft.prepare(program.before());
            return onUpdraft.run(sides.onUpdraft(program, onUpdraft));
        });
        return Row.of(program, get(storm), get(updraft));
    }

    private static <T> T get(Future<T> future) throws IOException, InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause().getMessage(), e.getCause());
        }
    }

    private Path place(Program program, String side) throws IOException {
        Path place = request.directory().resolve(program.name()).resolve(side);
        Files.createDirectories(place);
        return place;
    }
}
