package io.updraft.bench.aggregate;

import io.updraft.bench.spec.ChildReport;
import io.updraft.bench.spec.ProcessUsage;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The JVM of DuckDB: runs one query, reports the {@link QueryUsage} of the query alone, and ends. */
final class DuckDbMain {

    static final String QUERY = "query";

    private DuckDbMain() {}

    /**
     * The usage of a query, without the start of the JVM and of the database.
     *
     * @param wallNanos the query's wall time
     * @param cpuNanos the CPU time of the process during the query
     */
    record QueryUsage(long wallNanos, long cpuNanos) {}

    /**
     * Runs the query.
     *
     * @param args a {@link FlatJob}
     */
    public static void main(String[] args) throws SQLException {
        FlatJob job = FlatJob.of(args);
        try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = database.createStatement()) {
            statement.execute("SET threads=" + job.parallelism());
            statement.execute("SET preserve_insertion_order=false");
            ProcessUsage before = ProcessUsage.ofThisProcess();
            long began = System.nanoTime();
            statement.execute(copy(job));
            long wall = System.nanoTime() - began;
            long cpu = ProcessUsage.ofThisProcess().since(before).cpuNanos();
            ChildReport.print(System.out, QUERY, new QueryUsage(wall, cpu));
        }
    }

    private static String copy(FlatJob job) {
        FlatShape shape = job.shape();
        String results = Stream.concat(
                        shape.dimensions().stream(),
                        shape.results().stream()
                                .map(result -> result.function() + "("
                                        + shape.measures().get(result.measure()) + ") AS " + result.name()))
                .collect(Collectors.joining(", "));
        return "COPY (SELECT " + results + ", count(*) AS count FROM " + input(job) + " GROUP BY "
                + String.join(", ", shape.dimensions()) + ") TO '" + job.output() + "' (FORMAT csv, HEADER)";
    }

    private static String input(FlatJob job) {
        String columns = String.join(", ", job.shape().fields(": ", "'VARCHAR'", "'DOUBLE'"));
        return job.shape().isCsv()
                ? "read_csv('" + job.input() + "', header=true, columns={" + columns + "})"
                : "read_json('" + job.input() + "', format='newline_delimited', columns={" + columns + "})";
    }
}
