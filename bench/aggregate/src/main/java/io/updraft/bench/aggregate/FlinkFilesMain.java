package io.updraft.bench.aggregate;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.AggregateFunction;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.windowing.ProcessWindowFunction;
import org.apache.flink.streaming.api.windowing.assigners.GlobalWindows;
import org.apache.flink.streaming.api.windowing.windows.GlobalWindow;
import org.apache.flink.util.Collector;

/** The JVM of Flink: its DataStream API on its mini cluster, with incremental aggregation and object reuse. */
final class FlinkFilesMain {

    private FlinkFilesMain() {}

    /**
     * Runs the job.
     *
     * @param args a {@link FlatJob}
     */
    public static void main(String[] args) throws Exception {
        FlatJob job = FlatJob.of(args);
        Configuration configuration = new Configuration();
        configuration.set(PipelineOptions.OBJECT_REUSE, true);
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(job.parallelism(), configuration);
        environment.setRuntimeMode(mode(job.shape()));
        org.apache.flink.core.fs.Path input =
                org.apache.flink.core.fs.Path.fromLocalFile(job.input().toFile());
        environment
                .fromSource(
                        FileSource.forRecordStreamFormat(new FlatLines(job.shape()), input)
                                .build(),
                        WatermarkStrategy.noWatermarks(),
                        "records")
                .keyBy(record -> record.f0)
                .window(GlobalWindows.createWithEndOfStreamTrigger())
                .aggregate(new Totals(job.shape()), new Line(job.shape()))
                .sinkTo(new CsvSink(job.output().toString(), names(job.shape())))
                .setParallelism(1);
        environment.execute("aggregate");
    }

    /** Returns the mode that takes less CPU time: sorting is cheaper than a table for short keys, and dearer for long ones. */
    private static RuntimeExecutionMode mode(FlatShape shape) {
        return shape.isCsv() ? RuntimeExecutionMode.BATCH : RuntimeExecutionMode.STREAMING;
    }

    private static String names(FlatShape shape) {
        return Stream.of(
                        shape.dimensions().stream(),
                        shape.results().stream().map(FlatShape.Result::name),
                        Stream.of("count"))
                .flatMap(names -> names)
                .collect(Collectors.joining(","));
    }

    /** The totals of a key: for each function those of the measures, and last the count. */
    private static final class Totals implements AggregateFunction<Tuple2<String, double[]>, double[], double[]> {

        private static final long serialVersionUID = 1;
        /** Functions by their second letter: a switch on texts would take time of every record. */
        private static final char MIN = 'i';

        private static final char MAX = 'a';

        private final char[] functions;

        Totals(FlatShape shape) {
            functions = new char[shape.results().size()];
            for (int i = 0; i < functions.length; i++) {
                functions[i] = shape.results().get(i).function().charAt(1);
            }
        }

        @Override
        public double[] createAccumulator() {
            double[] totals = new double[functions.length + 1];
            for (int i = 0; i < functions.length; i++) {
                totals[i] = switch (functions[i]) {
                    case MIN -> Double.POSITIVE_INFINITY;
                    case MAX -> Double.NEGATIVE_INFINITY;
                    default -> 0;
                };
            }
            return totals;
        }

        @Override
        public double[] add(Tuple2<String, double[]> record, double[] totals) {
            add(record.f1, totals);
            totals[functions.length]++;
            return totals;
        }

        /** Adds values to totals: those of a record for every function, or other totals for the same. */
        private void add(double[] values, double[] totals) {
            int next = 0;
            for (int i = 0; i < functions.length; i++) {
                next = next == values.length ? 0 : next;
                double value = values[next++];
                totals[i] = switch (functions[i]) {
                    case MIN -> Math.min(totals[i], value);
                    case MAX -> Math.max(totals[i], value);
                    default -> totals[i] + value;
                };
            }
        }

        @Override
        public double[] getResult(double[] totals) {
            return totals;
        }

        @Override
        public double[] merge(double[] left, double[] right) {
            add(right, left);
            left[functions.length] += right[functions.length];
            return left;
        }
    }

    /** The line of a result. */
    private static final class Line extends ProcessWindowFunction<double[], String, String, GlobalWindow> {

        private static final long serialVersionUID = 1;

        private final String[] functions;

        Line(FlatShape shape) {
            functions = shape.results().stream().map(FlatShape.Result::function).toArray(String[]::new);
        }

        @Override
        public void process(String key, Context context, Iterable<double[]> results, Collector<String> out) {
            for (double[] totals : results) {
                StringBuilder line = new StringBuilder(key);
                double count = totals[functions.length];
                for (int i = 0; i < functions.length; i++) {
                    line.append(',').append(functions[i].equals("avg") ? totals[i] / count : totals[i]);
                }
                out.collect(line.append(',').append((long) count).toString());
            }
        }
    }

    /** Writes lines to one file. */
    private record CsvSink(String file, String names) implements Sink<String> {

        @Override
        public SinkWriter<String> createWriter(WriterInitContext context) throws IOException {
            BufferedWriter out = Files.newBufferedWriter(Path.of(file));
            out.append(names).append('\n');
            return new SinkWriter<>() {
                @Override
                public void write(String line, Context context) throws IOException {
                    out.append(line).append('\n');
                }

                @Override
                public void flush(boolean end) throws IOException {
                    out.flush();
                }

                @Override
                public void close() throws IOException {
                    out.close();
                }
            };
        }
    }
}
