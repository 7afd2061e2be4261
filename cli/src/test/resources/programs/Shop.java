package shop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
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

/**
 * Finds its classes and files in all the ways that a program on the class path may, in its main and in a bolt, and sends values
 * that Java serialises. The bolt prints what it found and received. With an argument, a thread of the common pool submits.
 */
public class Shop {
    public static void main(String[] args) throws Exception {
        Lookups.print("main");
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("orders", new Orders());
        builder.setBolt("till", new Till(), 2).allGrouping("orders");
        if (args.length == 0) {
            submit(builder);
        } else {
            CompletableFuture.runAsync(() -> submit(builder)).join();
        }
    }

    private static void submit(TopologyBuilder builder) {
        Config conf = new Config();
        conf.setFallBackOnJavaSerialization(true);
        try {
            StormSubmitter.submitTopology("shop", conf, builder.createTopology());
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Emits each value once. */
    public static class Orders extends BaseRichSpout {
        private transient SpoutOutputCollector out;
        private transient List<Object> left;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            out = collector;
            left = new ArrayList<>(Goods.all());
        }

        @Override
        public void nextTuple() {
            if (!left.isEmpty()) {
                out.emit(new Values(left.remove(0)));
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("value"));
        }
    }

    /** Prints what it receives. */
    public static class Till extends BaseRichBolt {
        private int task;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            task = context.getThisTaskIndex();
            Lookups.print("bolt " + task);
        }

        @Override
        public void execute(Tuple tuple) {
            Object value = tuple.getValue(0);
            Object shown = value instanceof Object[] items ? List.of(items) : value;
            System.out.println("bolt " + task + " received " + shown);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }
}

/** A value of each kind. */
final class Goods {
    static List<Object> all() {
        String text = "tomorrow";
        return List.of(
                new Order(List.of(new Item("pen")), (Supplier<String> & Serializable) () -> text),
                Level.HIGH,
                new Price("euro", new Item("ink")),
                new Entry[] {new Entry("array")},
                new ShopException(new Reason("late")));
    }
}

class Order implements Serializable {
    private final ArrayList<Item> items;
    private final Supplier<String> due;

    Order(List<Item> items, Supplier<String> due) {
        this.items = new ArrayList<>(items);
        this.due = due;
    }

    @Override
    public String toString() {
        return "order of " + items + " due " + due.get();
    }
}

class Item implements Serializable {
    private final String name;

    Item(String name) {
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}

enum Level {
    HIGH {
        @Override
        public String toString() {
            return "a constant with a body";
        }
    }
}

record Price(String currency, Item item) implements Serializable {}

record Entry(String name) implements Serializable {}

record Reason(String text) implements Serializable {}

class ShopException extends RuntimeException {
    private final Reason reason;

    ShopException(Reason reason) {
        this.reason = reason;
    }

    @Override
    public String toString() {
        return "exception for " + reason.text();
    }
}
