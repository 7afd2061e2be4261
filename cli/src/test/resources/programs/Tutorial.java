package tutorial;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.LocalDRPC;
import org.apache.storm.Testing;
import org.apache.storm.drpc.LinearDRPCTopologyBuilder;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.CompleteTopologyParam;
import org.apache.storm.testing.MockedSources;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** What tutorials of Storm have in their main; compiled against Storm's own server. */
public class Tutorial {
    private static volatile boolean executed;

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            Class.forName(args[0]);
            System.out.println("loaded " + args[0]);
        }
        LocalCluster cluster = new LocalCluster();
        cluster.submitTopology("tutorial", new Config(), words(new Exclaim()));
        while (!executed) {
            Thread.sleep(10);
        }
        for (TopologySummary each : cluster.getNimbus().getClusterInfo().get_topologies()) {
            System.out.println("topology " + each.get_name() + " " + each.get_status());
        }
        try (LocalDRPC drpc = new LocalDRPC()) {
            LinearDRPCTopologyBuilder builder = new LinearDRPCTopologyBuilder("echo");
            builder.addBolt(new Echo());
            cluster.submitTopology("drpc", new Config(), builder.createLocalTopology(drpc));
            System.out.println("answer " + drpc.execute("echo", "hello"));
        }
        cluster.killTopology("tutorial");
        cluster.shutdown();
        Testing.withSimulatedTimeLocalCluster(test -> {
            MockedSources sources = new MockedSources();
            sources.addMockData("words", new Values("nathan"));
            CompleteTopologyParam param = new CompleteTopologyParam();
            param.setMockedSources(sources);
            Object words = Testing.readTuples(Testing.completeTopology(test, words(new Exclaim()), param), "exclaim");
            System.out.println("completed " + words);
        });
    }

    private static org.apache.storm.generated.StormTopology words(BaseRichBolt bolt) {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("exclaim", bolt).shuffleGrouping("words");
        return builder.createTopology();
    }

    public static class Exclaim extends BaseRichBolt {
        private OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            this.collector = collector;
        }

        @Override
        public void execute(Tuple tuple) {
            collector.emit(tuple, new Values(tuple.getString(0) + "!"));
            collector.ack(tuple);
            executed = true;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("word"));
        }
    }

    public static class Echo extends BaseBasicBolt {
        @Override
        public void execute(Tuple input, BasicOutputCollector collector) {
            collector.emit(new Values(input.getValue(0), input.getValue(1)));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("id", "result"));
        }
    }
}
