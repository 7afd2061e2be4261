package io.updraft.pipeline.run;

import io.updraft.kafka.router.Router;
import io.updraft.kafka.share.ProcessDescription;
import io.updraft.kafka.share.ShareCoordinator;
import io.updraft.pipeline.connector.ResultSink;
import io.updraft.pipeline.connector.SinkOptions;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.KafkaCoordinators;
import io.updraft.pipeline.kafka.KafkaReadOptions;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.kafka.KafkaSource;
import io.updraft.pipeline.kafka.RouteOptions;
import io.updraft.pipeline.sink.RejectedRecordSink;
import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.pipeline.source.SourceFactory;
import io.updraft.pipeline.source.http.HttpSource;
import io.updraft.pipeline.spec.AggregateSpec;
import io.updraft.pipeline.spec.PipelineSpec;
import io.updraft.pipeline.spec.SpecWriter;
import io.updraft.timeseries.aggregate.AggregatorOptions;
import io.updraft.timeseries.decode.Decoder;
import io.updraft.timeseries.decode.RecordAttribute;
import io.updraft.timeseries.query.Query;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Starts pipelines. */
public final class Pipelines {

    private static final Duration FLUSH = Duration.ofMillis(500);

    private Pipelines() {}

    /**
     * Starts a pipeline in this process.
     *
     * @param spec the description of the pipeline
     * @return the running pipeline; must be closed
     * @throws PipelineException when the pipeline cannot be started; the message is one line that names the cause and the place
     */
    public static RunningPipeline start(PipelineSpec spec) throws PipelineException {
        try {
            ShareCoordinator coordinator =
                    spec.source() instanceof SourceSpec.Kafka kafka ? coordinator(spec, kafka) : null;
            RejectedRecordSinks rejected =
                    new RejectedRecordSinks(recordSink(spec.deadLetters()), recordSink(spec.late()));
            if (spec.route() == null) {
                return RunningPipeline.start(plan(spec, coordinator, rejected), rejected::close);
            }
            RunPlan.Routing plan = route(spec, coordinator, rejected);
            return RunningPipeline.start(plan, () -> {
                plan.router().close();
                rejected.close();
            });
        } catch (SourceException | IllegalArgumentException | IllegalStateException e) {
            throw new PipelineException(e.getMessage(), e);
        }
    }

    private static RunPlan.Routing route(PipelineSpec spec, ShareCoordinator coordinator, RejectionHandler rejected) {
        RouteOptions options = spec.route();
        RunPlan.Settings settings = settings(spec, coordinator, rejected, () -> Decoder.create(spec.decode()));
        options.check();
        return new RunPlan.Routing(
                settings,
                new Router(options.settings()),
                spec.decode().schema(),
                options.key(),
                options.value() == RouteOptions.Value.ROW);
    }

    private static ShareCoordinator coordinator(PipelineSpec spec, SourceSpec.Kafka kafka) throws SourceException {
        boolean exactlyOnce = spec.sinks().stream()
                .anyMatch(options -> options instanceof KafkaSinkOptions sink && sink.group() != null);
        ProcessDescription process =
                ProcessDescription.ofThisProcess(spec.name(), kafka.topics(), SpecWriter.sharedKeys(spec));
        return KafkaCoordinators.coordinator(kafka, process, spec.keyed(), exactlyOnce);
    }

    private static RejectedRecordSink recordSink(RejectedRecordSinkOptions options) {
        return options == null ? null : options.sink();
    }

    static RunPlan.Aggregation plan(PipelineSpec spec, ShareCoordinator coordinator, RejectionHandler rejected) {
        AggregateSpec aggregate = spec.aggregate();
        Query query = aggregate.query(spec.decode().schema());
        Set<String> read = query.measuredFields();
        if (spec.time().field() != null) {
            read.add(spec.time().field());
        }
        if (query.window().zoneField() != null) {
            read.add(query.window().zoneField());
        }
        AggregateSpec.Unique unique = aggregate.unique();
        if (unique != null) {
            read.addAll(unique.by());
        }
        return new RunPlan.Aggregation(
                settings(spec, coordinator, rejected, () -> Decoder.create(spec.decode(), query.dimensions(), read)),
                query,
                aggregate.selection().isOf(aggregate.measures()) ? null : aggregate.selection(),
                unique == null
                        ? null
                        : new UniqueRows(
                                spec.name(), unique, query, spec.time(), spec.keyed() ? 1 : spec.parallelism()),
                limits(aggregate.limits()),
                spec.time(),
                aggregate.early() == null ? Duration.ZERO : aggregate.early(),
                FLUSH,
                inOrder(spec.sinks()).stream()
                        .map(options -> sink(options, coordinator))
                        .toList());
    }

    /**
     * Creates a sink; it connects when it is opened.
     *
     * @param coordinator the coordinator of a Kafka source; else null. A Kafka sink that stores positions commits with it
     * @throws IllegalArgumentException when the sink must store Kafka positions but the source is not Kafka
     */
    static ResultSink sink(SinkOptions options, ShareCoordinator coordinator) {
        return coordinator != null && options instanceof KafkaSinkOptions kafka && kafka.keepsPositions()
                ? kafka.sink(coordinator)
                : options.sink();
    }

    /**
     * Returns the sinks in the order in which they must be flushed. Sinks that store positions come last: by then all others
     * have the results. The sink that commits offsets of Kafka is the very last: these alone decide where reading continues.
     */
    static List<SinkOptions> inOrder(List<SinkOptions> sinks) {
        return sinks.stream()
                .sorted(Comparator.comparing(SinkOptions::keepsPositions)
                        .thenComparing(options -> options instanceof KafkaSinkOptions && options.keepsPositions()))
                .toList();
    }

    private static RunPlan.Settings settings(
            PipelineSpec spec, ShareCoordinator coordinator, RejectionHandler rejected, Supplier<Decoder> decoders) {
        decoders.get(); // reports mistakes before anything starts
        return new RunPlan.Settings(
                spec.name(),
                source(spec, coordinator),
                decoders,
                spec.keyed(),
                spec.track(),
                spec.parallelism(),
                spec.alarm(),
                spec.giveUp(),
                rejected,
                new UnusableRecords(
                        spec.unusable() == PipelineSpec.Unusable.SKIP || !isReadAgain(spec),
                        UnusableRecords.MAX_DAMAGED));
    }

    /** Returns whether the next run reads what this one does not commit. */
    private static boolean isReadAgain(PipelineSpec spec) {
        return spec.track()
                && (spec.source() instanceof SourceSpec.Kafka
                        || spec.source() instanceof SourceSpec.Files files && files.resume());
    }

    private static RunPlan.Settings.SourceOpener source(PipelineSpec spec, ShareCoordinator coordinator) {
        Duration idle = spec.time().idle();
        if (spec.source() instanceof SourceSpec.Kafka kafka) {
            // The positions are in Kafka, for the next owner of a partition.
            KafkaReadOptions how = new KafkaReadOptions(
                    spec.keyed(),
                    spec.track(),
                    idle,
                    spec.giveUp(),
                    spec.decode().reads(RecordAttribute.Kind.KEY),
                    spec.decode().headers());
            return kept -> new KafkaSource(kafka, coordinator, how, System::currentTimeMillis);
        }
        if (spec.route() != null && spec.source() instanceof SourceSpec.Http http) {
            return kept -> new HttpSource(http, idle, spec.route().answer());
        }
        return kept -> SourceFactory.open(spec.source(), spec.decode(), idle, spec.state(), kept);
    }

    /**
     * Returns the limits of all tasks together. With a spill directory, groups must spill before the heap is full: results on
     * their way to sinks take some of it too, and so does the merging of results.
     */
    static AggregatorOptions limits(AggregateSpec.Limits limits) {
        AggregatorOptions all = AggregatorOptions.inMemory();
        long groups = limits.groups() == 0 ? all.maxGroups() : limits.groups();
        if (limits.spill() == null) {
            return new AggregatorOptions(groups, limits.memory() == 0 ? all.maxBytes() : limits.memory(), null);
        }
        long bytes = limits.memory() == 0 ? all.maxBytes() / 2 : Math.min(limits.memory(), all.maxBytes());
        return new AggregatorOptions(groups, Math.max(1, bytes), limits.spill());
    }
}
