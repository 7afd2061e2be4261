package io.updraft.cli.operator;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;

/** Tells of which class a component is, without loading the class: its name is at the beginning of the serialized object. */
public final class ComponentType {
    private ComponentType() {}

    /** {@return the name of the component's class, or the command of a component in another language; null if unknown} */
    public static String of(StormTopology topology, String component) {
        Bolt bolt = topology.get_bolts().get(component);
        SpoutSpec spout = topology.get_spouts().get(component);
        if (bolt != null) {
            return of(bolt.get_bolt_object());
        }
        return spout == null ? null : of(spout.get_spout_object());
    }

    private static String of(ComponentObject object) {
        if (object.is_set_shell()) {
            return object.get_shell().get_execution_command();
        }
        return object.is_set_serialized_java()
                ? ofSerialized(object.get_serialized_java())
                : object.get_java_object().get_full_class_name();
    }

    static String ofSerialized(byte[] serialized) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(serialized))) {
            boolean isObject = in.readShort() == ObjectStreamConstants.STREAM_MAGIC
                    && in.readShort() == ObjectStreamConstants.STREAM_VERSION
                    && in.readByte() == ObjectStreamConstants.TC_OBJECT
                    && in.readByte() == ObjectStreamConstants.TC_CLASSDESC;
            return isObject ? in.readUTF() : null;
        } catch (IOException e) {
            return null;
        }
    }
}
