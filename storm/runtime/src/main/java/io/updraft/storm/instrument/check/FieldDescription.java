package io.updraft.storm.instrument.check;

import java.util.List;
import org.apache.storm.task.TopologyContext;

/** Describes a field of a tuple for messages. */
final class FieldDescription {

    private FieldDescription() {}

    static String of(TopologyContext context, String stream, int field, Object value) {
        List<String> names = context.getThisOutputFields(stream).toList();
        String name = field < names.size() ? " '" + names.get(field) + "'" : "";
        String type = value == null ? "null" : value.getClass().getTypeName();
        return "field " + field + name + " of class " + type;
    }
}
