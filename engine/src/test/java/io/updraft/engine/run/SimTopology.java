package io.updraft.engine.run;

import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.testing.SeededRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.SpoutDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** A random topology with its configuration: graph, groupings, parallelism, limits and the habits of its components. */
final class SimTopology {

    static final String KEY = "key";
    static final String SENT = "sent";
    static final String DIRECT = "direct";
    static final String LETTERS = "letters";

    private static final String[] STREAMS = {"default", "side", DIRECT};

    /** How a bolt subscribes. */
    enum Kind {
        SHUFFLE,
        LOCAL,
        FIELDS,
        PARTIAL_KEY,
        ALL,
        GLOBAL,
        NONE,
        CUSTOM
    }

    /**
     * One subscription.
     *
     * @param bolt who subscribed
     * @param kind how; null to a direct stream
     */
    record Subscription(String bolt, Kind kind) {}

    /**
     * A stream with its subscriptions.
     *
     * @param id its name
     * @param subscriptions filled in while the topology is made
     */
    record Stream(String id, List<Subscription> subscriptions) {
        boolean isDirect() {
            return id.equals(DIRECT);
        }
    }

    private final SeededRandom chance;
    private final TopologyBuilder builder = new TopologyBuilder();
    private final List<String> spouts = new ArrayList<>();
    private final List<String> bolts = new ArrayList<>();
    private final Map<String, List<Stream>> streams = new TreeMap<>();
    private final Map<String, SimBehavior> habits = new TreeMap<>();
    private final Map<String, Object> conf = new HashMap<>();
    private final boolean throwing;
    private final boolean slow;
    private Kind letters;

    SimTopology(SeededRandom chance) {
        this.chance = chance;
        this.throwing = chance.percent(50);
        this.slow = chance.percent(50);
        configure();
        nameComponents();
        spouts.forEach(this::addSpout);
        boolean cyclic = chance.percent(35);
        for (int i = 0; i < bolts.size(); i++) {
            addBolt(i, cyclic);
        }
        if (conf.containsKey(EngineSettings.MAX_REPLAYS) && chance.percent(75)) {
            addLetters();
        }
    }

    private void configure() {
        conf.put(EngineSettings.LOOPS, chance.between(1, 4));
        conf.put(EngineSettings.QUEUE_HIGH_WATER, chance.oneOf(1, 2, 3, 8, 20, 64, 64));
        conf.put(
                EngineSettings.ON_ERROR,
                chance.pick(List.of("restart", "restart", "restart", "fail-tuple", "fail-tuple", "die")));
        conf.put(Config.TOPOLOGY_ACKER_EXECUTORS, chance.percent(90) ? 1 : 0);
        conf.put(Config.TOPOLOGY_ENABLE_MESSAGE_TIMEOUTS, chance.percent(80));
        conf.put(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, chance.oneOf(1, 3, 30));
        if (chance.percent(35)) {
            conf.put(EngineSettings.MAX_REPLAYS, chance.between(1, 3));
        }
    }

    private void nameComponents() {
        int spoutCount = chance.weighted(0, 5, 3, 2);
        for (int i = 0; i < spoutCount; i++) {
            name("spout" + i, spouts);
        }
        int boltCount = chance.weighted(1, 4, 6, 6, 5, 4, 3, 2, 2);
        for (int i = 0; i < boltCount; i++) {
            name("bolt" + i, bolts);
        }
    }

    private void name(String id, List<String> into) {
        into.add(id);
        List<Stream> own = new ArrayList<>();
        for (String stream : STREAMS) {
            if (stream.equals("default") || chance.percent(30)) {
                own.add(new Stream(stream, new ArrayList<>()));
            }
        }
        streams.put(id, own);
        habits.put(id, SimBehavior.random(chance, throwing, slow));
    }

    private void addSpout(String id) {
        SpoutDeclarer spout = builder.setSpout(id, new SimSpout(id, streamIds(id)), chance.between(1, 2));
        if (chance.percent(25)) {
            spout.setNumTasks(chance.between(1, 4));
        }
        if (chance.percent(60)) {
            spout.setMaxSpoutPending(chance.oneOf(1, 2, 5, 20));
        }
    }

    private void addBolt(int index, boolean cyclic) {
        String id = bolts.get(index);
        BoltDeclarer bolt = builder.setBolt(id, new SimBolt(id, streamIds(id)), chance.between(1, 3));
        if (chance.percent(25)) {
            bolt.setNumTasks(chance.between(1, 5));
        }
        if (chance.percent(20)) {
            bolt.addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1);
        }
        List<String> sources = new ArrayList<>(spouts);
        sources.addAll(bolts.subList(0, cyclic ? bolts.size() : index));
        if (cyclic && chance.percent(30)) {
            subscribe(bolt, id, id);
        }
        int inputs = chance.between(1, 3);
        for (int i = 0; i < inputs; i++) {
            subscribe(bolt, id, chance.pick(sources));
        }
    }

    private void subscribe(BoltDeclarer bolt, String id, String source) {
        Stream stream = chance.pick(streams.get(source));
        if (stream.subscriptions().stream().anyMatch(s -> s.bolt().equals(id))) {
            return;
        }
        if (stream.isDirect()) {
            bolt.directGrouping(source, stream.id());
            stream.subscriptions().add(new Subscription(id, null));
        } else {
            Kind kind = chance.pick(List.of(Kind.values()));
            subscribe(bolt, source, stream.id(), kind);
            stream.subscriptions().add(new Subscription(id, kind));
        }
    }

    private static void subscribe(BoltDeclarer bolt, String source, String stream, Kind kind) {
        switch (kind) {
            case SHUFFLE -> bolt.shuffleGrouping(source, stream);
            case LOCAL -> bolt.localOrShuffleGrouping(source, stream);
            case FIELDS -> bolt.fieldsGrouping(source, stream, new Fields(KEY));
            case PARTIAL_KEY -> bolt.partialKeyGrouping(source, stream, new Fields(KEY));
            case ALL -> bolt.allGrouping(source, stream);
            case GLOBAL -> bolt.globalGrouping(source, stream);
            case NONE -> bolt.noneGrouping(source, stream);
            case CUSTOM -> bolt.customGrouping(source, stream, new SimGrouping());
        }
    }

    private void addLetters() {
        letters = chance.percent(60) ? Kind.SHUFFLE : Kind.ALL;
        streams.put(LETTERS, List.of());
        habits.put(LETTERS, SimBehavior.random(chance, throwing, slow));
        BoltDeclarer bolt = builder.setBolt(LETTERS, new SimBolt(LETTERS, List.of()), chance.between(1, 3));
        for (String spout : spouts) {
            subscribe(bolt, spout, Planner.DEAD_LETTER_STREAM, letters);
        }
    }

    private List<String> streamIds(String component) {
        return streams.get(component).stream().map(Stream::id).toList();
    }

    StormTopology create() {
        return builder.createTopology();
    }

    Map<String, Object> conf() {
        return conf;
    }

    List<Stream> streams(String component) {
        return streams.get(component);
    }

    SimBehavior habits(String component) {
        return habits.get(component);
    }

    /** How the bolt for dead letters subscribes to them; null when there is none. */
    Kind letters() {
        return letters;
    }
}
