package io.updraft.storm;

import io.updraft.base.testing.CompiledJar;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** One program in several versions: the same class names, different behaviour. */
public final class VersionedProgram {
    private static final String CLASS = "com.acme.flavoured.Main";

    private static final String SOURCE = """
            package com.acme.flavoured;

            import io.updraft.storm.Seen;
            import java.util.Map;
            import java.util.concurrent.atomic.AtomicInteger;
            import org.apache.storm.*;
            import org.apache.storm.spout.*;
            import org.apache.storm.task.*;
            import org.apache.storm.topology.*;
            import org.apache.storm.topology.base.*;
            import org.apache.storm.tuple.*;

            public class Main {
                static final AtomicInteger PREPARED = new AtomicInteger();

                public static void main(String[] args) throws Exception {
                    Config conf = new Config();
                    conf.put("nimbus.seeds", java.util.List.of("localhost"));
                    conf.put("nimbus.thrift.port", Integer.parseInt(args[1]));
                    conf.setMaxSpoutPending(50);
                    TopologyBuilder builder = new TopologyBuilder();
                    builder.setSpout("numbers", new Numbers());
                    builder.setBolt("taste", new Taste(), 2).setNumTasks(4).shuffleGrouping("numbers");
                    StormSubmitter.submitTopology(args[0], conf, builder.createTopology());
                }

                public static class Numbers extends BaseRichSpout {
                    private SpoutOutputCollector out;
                    private long next;
                    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector out) {
                        this.out = out;
                    }
                    public void nextTuple() {
                        out.emit(new Values(next), next++);
                    }
                    public void declareOutputFields(OutputFieldsDeclarer declarer) {
                        declarer.declare(new Fields("number"));
                    }
                }

                public static class Taste extends BaseRichBolt {
                    private OutputCollector out;
                    private String topology;
                    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
                        this.out = out;
                        topology = (String) conf.get("topology.name");
                        Seen.loader(topology, Main.class.getClassLoader());
                        Seen.fact(topology, "prepared " + PREPARED.incrementAndGet());
                    }
                    public void execute(Tuple tuple) {
                        Seen.fact(topology, "FLAVOUR");
                        Seen.fact(topology, "own loader "
                                + (Thread.currentThread().getContextClassLoader() == Main.class.getClassLoader()));
                        Seen.count(topology);
                        out.ack(tuple);
                    }
                    public void cleanup() {
                        Seen.fact(topology, "cleaned up");
                    }
                    public void declareOutputFields(OutputFieldsDeclarer declarer) {}
                }
            }
            """;

    private VersionedProgram() {}

    public static Path jar(Path folder, String flavour) throws IOException {
        return CompiledJar.of(folder, flavour, CLASS, SOURCE.replace("FLAVOUR", flavour));
    }

    /** Runs the program as {@code storm jar} does, as a client of whoever listens on a port. */
    public static void submit(Path jar, String topology, int port) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        String jarBefore = System.getProperty("storm.jar");
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            System.setProperty("storm.jar", jar.toString());
            Class.forName(CLASS, true, loader).getMethod("main", String[].class).invoke(null, (Object)
                    new String[] {topology, String.valueOf(port)});
        } finally {
            thread.setContextClassLoader(before);
            if (jarBefore == null) {
                System.clearProperty("storm.jar");
            } else {
                System.setProperty("storm.jar", jarBefore);
            }
        }
    }
}
