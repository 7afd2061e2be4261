package io.updraft.engine.plan;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.storm.Thrift;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.ShellBolt;

/**
 * Creates instances of a user's component. Each instance is deserialized from the submitted component with the submitter's
 * class loader.
 *
 * <p>May be called from any thread.
 */
final class ComponentFactory implements Supplier<Object> {

    private final String componentId;
    private final boolean spout;
    private final ComponentObject object;
    private final ClassLoader loader;

    /** The instance that {@link #tried} created; null once {@link #get} has returned it. */
    private final AtomicReference<Object> first = new AtomicReference<>();

    ComponentFactory(String componentId, boolean spout, ComponentObject object) {
        this.componentId = componentId;
        this.spout = spout;
        this.object = object;
        this.loader = Thread.currentThread().getContextClassLoader();
    }

    /** Creates the first instance at once, so that a component that cannot be created is refused early. */
    ComponentFactory tried() {
        first.set(make());
        return this;
    }

    @Override
    public Object get() {
        Object made = first.getAndSet(null);
        return made != null ? made : make();
    }

    private Object make() {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return checked(read());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Object read() {
        return switch (object.getSetField()) {
            case SERIALIZED_JAVA ->
                UserObjects.read(object.get_serialized_java(), loader, "component '" + componentId + "'");
            case JAVA_OBJECT -> instantiate();
            case SHELL -> spout ? new ShellSpout(object.get_shell()) : new ShellBolt(object.get_shell());
        };
    }

    private Object instantiate() {
        Object instance = Thrift.instantiateJavaObject(object.get_java_object());
        if (instance == null) {
            // Storm prints the cause and returns null.
            throw new InvalidTopology("component '" + componentId + "' cannot be created: there is no class "
                    + object.get_java_object().get_full_class_name() + " with a constructor for its arguments");
        }
        return instance;
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
