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

/** Runs programs, some at a time, each on both sides at the same time. */
final class Survey {
    private final Sides sides;
    private final Path directory;
    private final Duration time;
    private final boolean again;
    private final int parallel;
    private final PrintWriter out;

    /** Held while a program runs that uses something that there is one of. */
    private final Object alone = new Object();

    /**
     * @param sides how to run
     * @param directory where outputs go
     * @param time how long each topology runs
     * @param again whether what Storm did in an earlier run is compared with, where it is in the directory
     * @param parallel how many programs run at a time
     * @param out where each line of the table is printed when it is known
     */
    Survey(Sides sides, Path directory, Duration time, boolean again, int parallel, PrintWriter out) {
        this.again = again;
        this.parallel = parallel;
        this.sides = sides;
        this.directory = directory;
        this.time = time;
        this.out = out;
    }

    /** {@return a row for each program, in their order} */
    List<Row> run(List<Program> programs) throws IOException, InterruptedException {
        ExecutorService several = Executors.newFixedThreadPool(parallel);
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
        Duration wanted = program.seconds() > 0 ? Duration.ofSeconds(program.seconds()) : time;
        Trial onStorm = new Trial(place(program, "storm"), wanted, program.awaited());
        Trial onUpdraft = new Trial(place(program, "updraft"), wanted, program.awaited());
        Future<Observation> storm = sidesOf.submit(() -> {
            if (again && onStorm.isKept()) {
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
        Path place = directory.resolve(program.name()).resolve(side);
        Files.createDirectories(place);
        return place;
    }
}
