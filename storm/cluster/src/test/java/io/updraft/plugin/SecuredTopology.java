package io.updraft.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import javax.security.auth.kerberos.KerberosTicket;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.StormSubmitter;
import org.apache.storm.security.auth.kerberos.AutoTGT;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;

/** A program on two workers that records what it may see and do on a secured cluster. */
@SuppressWarnings("serial")
public final class SecuredTopology {
    static final String BLOB_NAME = "secret.txt";
    /** A file of another user, in the directory of the records. */
    static final String OTHERS_FILE = "of-another-user.txt";

    private SecuredTopology() {}

    /** Submits it: name, directory of the records, the user's {@code storm.yaml}, the realm's configuration. */
    public static void main(String[] args) throws Exception {
        System.setProperty("storm.conf.file", args[2]);
        System.setProperty("java.security.krb5.conf", args[3]);
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new Source(args[1]));
        builder.setBolt("probe", new Probe(args[1]))
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1)
                .shuffleGrouping("source");
        Config conf = new Config();
        conf.setNumWorkers(2);
        conf.setNumAckers(0);
        StormSubmitter.submitTopology(args[0], conf, builder.createTopology());
    }

    private static void noteCredentials(String directory, String component, Map<String, String> credentials) {
        KerberosTicket ticket = AutoTGT.getTGT(credentials);
        String end = ticket == null
                ? "no ticket"
                : ticket.getClient() + " until " + ticket.getEndTime().getTime();
        WorkerRecords.note(directory, "ticket-" + component, end);
        WorkerRecords.note(directory, "credentials-" + component, new TreeSet<>(credentials.keySet()));
    }

    /** Emits numbers, and notes each that is acked. */
    static final class Source extends BaseRichSpout implements ICredentialsListener {
        private final String directory;
        private transient SpoutOutputCollector collector;
        private transient int next;

        Source(String directory) {
            this.directory = directory;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
        }

        @Override
        public void nextTuple() {
            collector.emit(new Values(next), next++);
            Utils.sleep(50);
        }

        @Override
        public void ack(Object number) {
            WorkerRecords.note(directory, "acked", number);
        }

        @Override
        public void setCredentials(Map<String, String> credentials) {
            noteCredentials(directory, "source", credentials);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Acks, and asks Nimbus at each tick. */
    static final class Probe extends BaseRichBolt implements ICredentialsListener {
        private final String directory;
        private transient OutputCollector collector;
        private transient Map<String, Object> configuration;

        Probe(String directory) {
            this.directory = directory;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            collector = boltCollector;
            configuration = conf;
            WorkerRecords.note(directory, "user", System.getProperty("user.name"));
            WorkerRecords.note(directory, "blob", read(Path.of(BLOB_NAME)));
            WorkerRecords.note(directory, "others-file", read(Path.of(directory, OTHERS_FILE)));
        }

        private static String read(Path file) {
            try {
                return Files.readString(file).strip();
            } catch (IOException e) {
                return e.toString();
            }
        }

        @Override
        public void execute(Tuple tuple) {
            if (tuple.getSourceComponent().equals(Constants.SYSTEM_COMPONENT_ID)) {
                WorkerRecords.note(directory, "nimbus", askNimbus());
            }
            collector.ack(tuple);
        }

        private String askNimbus() {
            try (NimbusClient nimbus =
                    NimbusClient.Builder.withConf(configuration).build()) {
                return "leader " + nimbus.getClient().getLeader().get_host();
            } catch (Exception e) {
                return e.toString();
            }
        }

        @Override
        public void setCredentials(Map<String, String> credentials) {
            noteCredentials(directory, "probe", credentials);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            // It emits nothing.
        }
    }
}
