package io.updraft.storm.instrument;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/**
 * Detects values that change after their emit: tasks in one JVM share them. The guard records the values at the emit. It
 * compares them before and after a bolt executes the tuple, and before the bolt acks or fails it. It also compares them when
 * the spout receives the ack, and when the same list is emitted again. Each changed field is reported once.
 */
final class MutationGuard implements Watcher {

    private final TopologyContext context;
    private final Seals seals;
    private final Consumer<Throwable> report;
    private final Prints prints;

    MutationGuard(TopologyContext context, Map<String, Object> conf, Seals seals, Consumer<Throwable> report) {
        this.context = context;
        this.seals = seals;
        this.report = report;
        this.prints = new Prints(conf);
    }

    @Override
    public List<Object> emitting(String stream, List<Object> original, List<Object> values) {
        check(original, "when component '" + context.getThisComponentId() + "' emitted the same list again");
        Seal first = seal(stream, original, null);
        put(original, first);
        if (values != original) {
            put(values, seal(stream, values, first.isNeeded() ? first : null));
        }
        return values;
    }

    private void put(List<Object> values, Seal seal) {
        if (seal.isNeeded()) {
            seals.put(values, seal);
        }
    }

    private Seal seal(String stream, List<Object> values, Seal before) {
        Object[] all = values.toArray();
        byte[][] written = new byte[all.length][];
        String[] subjects = new String[all.length];
        for (int i = 0; i < all.length; i++) {
            written[i] = prints.of(all[i]);
            subjects[i] = written[i] == null ? "" : FieldNames.of(context, stream, i, all[i]);
        }
        return new Seal(context.getThisComponentId(), stream, subjects, all, written, before);
    }

    @Override
    public void executing(Tuple input) {
        check(input.getValues(), "before component '" + context.getThisComponentId() + "' executed it");
    }

    @Override
    public void executed(Tuple input, long latencyMs) {
        check(input.getValues(), "while component '" + context.getThisComponentId() + "' executed it");
    }

    @Override
    public void settling(Tuple input) {
        check(input.getValues(), "before component '" + context.getThisComponentId() + "' acked or failed it");
    }

    @Override
    public void spoutAcked(SpoutMessage message) {
        if (message.values() != null) {
            check(message.values(), "before its message was acked");
        }
    }

    private void check(List<Object> values, String when) {
        Seal seal = seals.of(values);
        if (seal != null) {
            check(seal, values, when);
            if (seal.before() != null) {
                check(seal.before(), null, when);
            }
        }
    }

    private void check(Seal seal, List<Object> now, String when) {
        int field = now == null ? Seal.NONE : seal.replaced(now);
        if (field != Seal.NONE) {
            tell(seal, "field " + field, "was replaced in the list that was emitted, " + when);
            return;
        }
        int changed = seal.changed(prints);
        if (changed != Seal.NONE) {
            tell(seal, seal.subjects()[changed], "was changed after the emit, " + when);
        }
    }

    private void tell(Seal seal, String field, String what) {
        String subject = "a tuple of component '" + seal.component() + "' on stream '" + seal.stream() + "': " + field;
        if (seals.isFirst(subject)) {
            report.accept(new MutatedValueException(subject + " " + what
                    + "; all receivers share the tuple: emit a copy, and do not change emitted or received values"
                    + " (each field is reported once)"));
        }
    }
}
