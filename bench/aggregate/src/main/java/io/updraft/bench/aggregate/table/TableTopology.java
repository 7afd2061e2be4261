package io.updraft.bench.aggregate.table;

import io.updraft.timeseries.bolt.AggregateBolt;
import io.updraft.timeseries.bolt.AggregateBoltBuilder;
import io.updraft.timeseries.query.AggregateFunction;
import io.updraft.timeseries.record.FieldType;
import java.time.Duration;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** Builds the topology: a spout, aggregators with a fields grouping on all dimensions, and one bolt that sums the results. */
final class TableTopology {

    static final String COUNT = "n";

    private static final String SPOUT = "records";
    private static final String AGGREGATOR = "aggregate";

    private TableTopology() {}

    static StormTopology of(TableSpec spec) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout(SPOUT, new RecordSpout(spec), 1);
        builder.setBolt(AGGREGATOR, aggregator(spec), spec.aggregators())
                .fieldsGrouping(SPOUT, new Fields(TableRecords.dimensions(spec.dimensions())));
        builder.setBolt("results", new ResultBolt(spec.measures()), 1).globalGrouping(AGGREGATOR);
        return builder.createTopology();
    }

    private static IRichBolt aggregator(TableSpec spec) {
        AggregateBoltBuilder bolt = AggregateBolt.builder()
                .groupBy(TableRecords.dimensions(spec.dimensions()).toArray(String[]::new))
                .eventTime(TableRecords.TIME, Duration.ZERO)
                .every(TableRecords.WINDOW)
                .closeWhenIdle(Duration.ofSeconds(1))
                .ackAtOnce();
        TableRecords.measures(spec.measures())
                .forEach(measure ->
                        bolt.field(measure, FieldType.LONG).measure("sum_" + measure, AggregateFunction.SUM, measure));
        return bolt.count(COUNT).build();
    }
}
