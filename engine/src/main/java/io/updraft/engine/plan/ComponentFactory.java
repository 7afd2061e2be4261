package io.updraft.engine.plan;

import java.util.function.Supplier;
import org.apache.storm.Thrift;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.spout.ISpout;
import org.apache.storm.task.IBolt;

/** Makes instances of a user's component, each from the serialized original, with the submitter's class loader. */
final class ComponentFactory implements Supplier<Object> {

    private final String componentId;
    private final boolean spout;
    private final ComponentObject object;
    private final ClassLoader loader;

    ComponentFactory(String componentId, boolean spout, ComponentObject object) {
        this.componentId = componentId;
        this.spout = spout;
        this.object = object;
        this.loader = Thread.currentThread().getContextClassLoader();
    }

    @Override
    public Object get() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return checked(make());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Object make() {
        return switch (object.getSetField()) {
            case SERIALIZED_JAVA ->
                UserObjects.read(object.get_serialized_java(), loader, "component '" + componentId + "'");
            case JAVA_OBJECT -> Thrift.instantiateJavaObject(object.get_java_object());
            case SHELL -> throw new IllegalStateException("refused by TopologyCheck: " + componentId);
        };
    }

    private Object checked(Object instance) {
        Class<?> wanted = spout ? ISpout.class : IBolt.class;
        if (!wanted.isInstance(instance)) {
            throw new InvalidTopology("component '" + componentId + "' is a "
                    + instance.getClass().getName() + ", which is not a " + wanted.getName());
        }
        return instance;
    }
}
