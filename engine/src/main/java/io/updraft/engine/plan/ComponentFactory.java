package io.updraft.engine.plan;

import io.updraft.engine.trident.TridentBolt;
import io.updraft.engine.window.CountWindowBolt;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.storm.Thrift;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ShellSpout;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.ShellBolt;

/**
 * Makes instances of a user's component, each from the serialized original, with the submitter's class loader.
 *
 * <p>Safe from any thread.
 */
final class ComponentFactory implements Supplier<Object> {

    private final String componentId;
    private final boolean spout;
    private final ComponentObject object;
    private final Map<String, Object> conf;
    private final ClassLoader loader;

    /** Made before anybody asked. */
    private final AtomicReference<Object> first = new AtomicReference<>();

    ComponentFactory(String componentId, boolean spout, ComponentObject object, Map<String, Object> conf) {
        this.componentId = componentId;
        this.spout = spout;
        this.object = object;
        this.conf = conf;
        this.loader = Thread.currentThread().getContextClassLoader();
    }

    /**
     * Makes the first instance, to find out now whether it can be made.
     *
     * @return this
     * @throws InvalidTopology when it cannot
     */
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
            Object instance = CountWindowBolt.inPlaceOfWindowed(TridentBolt.aroundIfTrident(checked(read())));
            return StormTupleBolt.aroundIfNeeded(instance, conf);
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
            // Storm has printed why and said nothing.
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
