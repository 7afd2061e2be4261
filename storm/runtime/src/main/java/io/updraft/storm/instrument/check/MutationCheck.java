package io.updraft.storm.instrument.check;

import io.updraft.storm.instrument.check.EmittedValuesRegistry.EmittedValues;
import io.updraft.storm.instrument.watch.Watcher.SpoutMessage;
import io.updraft.storm.instrument.watch.Watcher;
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
public final class MutationCheck implements Watcher {

    private final TopologyContext context;
    private final EmittedValuesRegistry emittedValues;
    private final Consumer<Throwable> report;
    private final ValueSerializer serializer;

    public MutationCheck(
            TopologyContext context,
            Map<String, Object> conf,
            EmittedValuesRegistry seals,
            Consumer<Throwable> report) {
        this.context = context;
        this.emittedValues = seals;
        this.report = report;
        this.serializer = new ValueSerializer(conf);
    }

    @Override
    public List<Object> emitting(String stream, List<Object> original, List<Object> values) {
        check(original, "when component '" + context.getThisComponentId() + "' emitted the same list again");
        EmittedValues first = record(stream, original, null);
        put(original, first);
        if (values != original) {
            put(values, record(stream, values, first.isNeeded() ? first : null));
        }
        return values;
    }

    private void put(List<Object> values, EmittedValues seal) {
        if (seal.isNeeded()) {
            emittedValues.put(values, seal);
        }
    }

    private EmittedValues record(String stream, List<Object> values, EmittedValues before) {
        Object[] all = values.toArray();
        byte[][] written = new byte[all.length][];
        String[] subjects = new String[all.length];
        for (int i = 0; i < all.length; i++) {
            written[i] = serializer.of(all[i]);
            subjects[i] = written[i] == null ? "" : FieldDescription.of(context, stream, i, all[i]);
        }
        return new EmittedValues(context.getThisComponentId(), stream, subjects, all, written, before);
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
        EmittedValues seal = emittedValues.of(values);
        if (seal != null) {
            check(seal, values, when);
            if (seal.before() != null) {
                check(seal.before(), null, when);
            }
        }
    }

    private void check(EmittedValues seal, List<Object> now, String when) {
        int field = now == null ? EmittedValues.NONE : seal.replaced(now);
        if (field != EmittedValues.NONE) {
            reportChange(seal, "field " + field, "was replaced in the list that was emitted, " + when);
            return;
        }
        int changed = seal.changed(serializer);
        if (changed != EmittedValues.NONE) {
            reportChange(seal, seal.subjects()[changed], "was changed after the emit, " + when);
        }
    }

    private void reportChange(EmittedValues seal, String field, String what) {
        String subject = "a tuple of component '" + seal.component() + "' on stream '" + seal.stream() + "': " + field;
        if (emittedValues.isFirst(subject)) {
            report.accept(new MutatedValueException(subject + " " + what
                    + "; all receivers share the tuple: emit a copy, and do not change emitted or received values"
                    + " (each field is reported once)"));
        }
    }
}
