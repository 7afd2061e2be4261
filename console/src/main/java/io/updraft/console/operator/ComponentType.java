package io.updraft.console.operator;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.ObjectStreamConstants;
import java.util.regex.Pattern;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;

/** Tells of which class a component is, without loading the class: its name is at the beginning of the serialized object. */
public final class ComponentType {
    private static final Pattern WRAPPER = Pattern.compile("org\\.apache\\.storm\\.topology\\.\\w+Executor");
    private static final Pattern CLASS_NAME = Pattern.compile("[\\p{L}_$][\\w\\p{L}$.]*");

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

    /**
     * {@return the name of the object's class; if that is one of Storm's executors, which wrap the user's bolt, the name of the first
     * class within it that is not Storm's} Null if the bytes are no object.
     */
    static String ofSerialized(byte[] serialized) {
        int begin = 2 * Short.BYTES; // After the stream's header.
        String outer = nameAt(serialized, begin);
        boolean wraps = outer != null && WRAPPER.matcher(outer).matches();
        for (int at = begin + 1; wraps && at < serialized.length; at++) {
            String name = nameAt(serialized, at);
            if (name != null && !name.startsWith("org.apache.storm.") && !name.startsWith("java.")) {
                return name;
            }
        }
        return outer;
    }

    /** Returns the name of the class of the object that begins there; null if none does. */
    private static String nameAt(byte[] serialized, int at) {
        if (at >= serialized.length) {
            return null;
        }
        try (DataInputStream in =
                new DataInputStream(new ByteArrayInputStream(serialized, at, serialized.length - at))) {
            boolean isObject = in.readByte() == ObjectStreamConstants.TC_OBJECT
                    && in.readByte() == ObjectStreamConstants.TC_CLASSDESC;
            String name = isObject ? in.readUTF() : "";
            return CLASS_NAME.matcher(name).matches() ? name : null;
        } catch (IOException e) {
            return null;
        }
    }
}
