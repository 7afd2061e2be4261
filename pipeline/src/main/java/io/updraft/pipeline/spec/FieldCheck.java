package io.updraft.pipeline.spec;

import io.updraft.storm.Spelling;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.decode.ExpressionException;
import io.updraft.timeseries.record.Field;
import io.updraft.timeseries.record.Schema;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.Node;

/** Looks for fields that are named. */
record FieldCheck(Mistakes mistakes, Schema schema, List<String> available, Set<String> mistaken) {

    /** Of the rows that a pipeline has; null if what makes them is wrong, which is then told. */
    static FieldCheck of(YamlMap spec, DecodeSpec decode, DecodeReader decodes) {
        Mistakes mistakes = spec.mistakes();
        try {
            return new FieldCheck(mistakes, decode.schema(), decodes.available(decodes.known()), decodes.mistaken());
        } catch (ExpressionException e) {
            if (!decodes.mistaken().isEmpty()) {
                return null; // It may be about them, and that they are wrong has been said.
            }
            YamlMap flatten = spec.map("flatten");
            Node where = e.expression().equals(decode.filter()) ? flatten.at("filter") : flatten.at("derive");
            mistakes.add(where, e.getMessage());
        } catch (IllegalArgumentException e) {
            mistakes.add(spec.at("flatten"), e.getMessage());
        }
        return null;
    }

    /** The field; null if there is none of the name, which is then told unless it was told what is wrong with it. */
    Field find(Node where, String name) {
        if (schema.has(name)) {
            return schema.fields().get(schema.slot(name));
        }
        if (mistaken.contains(name)) {
            return null;
        }
        Set<String> names = new LinkedHashSet<>(available);
        schema.fields().forEach(field -> names.add(field.name()));
        mistakes.add(where, "there is no field '" + name + "'" + Spelling.instead(name, names));
        return null;
    }
}
