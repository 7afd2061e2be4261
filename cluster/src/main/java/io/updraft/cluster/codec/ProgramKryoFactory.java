package io.updraft.cluster.codec;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.serializers.FieldSerializer;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.plan.UserObjects;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.storm.Config;
import org.apache.storm.serialization.DefaultKryoFactory;
import org.apache.storm.serialization.SerializableSerializer;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.tuple.DetachedTuple;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates a topology's Kryo, which finds the classes of values with the program's class loader. Kryo and Storm's serializer are
 * Updraft's, so by default they find Updraft's copy of a library first. The program cannot use values of that copy if its jar
 * has the library too.
 */
public final class ProgramKryoFactory extends DefaultKryoFactory {
    private static final Logger LOG = LoggerFactory.getLogger(ProgramKryoFactory.class);
    private static final String STORMS = DefaultKryoFactory.class.getName();

    /** Called by Storm. */
    public ProgramKryoFactory() {}

    /** {@return the Kryo of a topology} A factory that the topology names takes the place of this one. */
    static Kryo kryo(Map<String, Object> conf) {
        Kryo kryo = unfinished(conf);
        // Storm 3 has registered it. It needs no Java serialization, which a topology may forbid.
        if (kryo.getClassResolver().getRegistration(DetachedTuple.class) == null) {
            kryo.register(DetachedTuple.class, new FieldSerializer<>(kryo, DetachedTuple.class));
        }
        return kryo;
    }

    /**
     * Calls the topology's own parts of Kryo once. Otherwise each worker would fail in a part that is compiled for another Storm,
     * again and again. Classes that are not found here may be found in a worker.
     *
     * @param conf the topology's whole configuration
     * @param inOneLine describes the failure
     * @throws InvalidTopology when a part does not fit Storm's interfaces
     */
    public static void check(Map<String, Object> conf, Function<Throwable, String> inOneLine) {
        try {
            if (conf.get(Config.TOPOLOGY_KRYO_DECORATORS) instanceof List<?> decorators && !decorators.isEmpty()
                    || !STORMS.equals(conf.get(Config.TOPOLOGY_KRYO_FACTORY))) {
                kryo(conf);
            }
        } catch (IncompatibleClassChangeError e) {
            throw new InvalidTopology("the topology's Kryo cannot be created: " + inOneLine.apply(e), e);
        } catch (RuntimeException | LinkageError e) {
            LOG.debug("the topology's Kryo cannot be created here", e);
        }
    }

    private static Kryo unfinished(Map<String, Object> conf) {
        // In a worker of a Storm cluster, Storm and the program have one class path, on which this class is not.
        if (SerializationFactory.class.getClassLoader() != ProgramKryoFactory.class.getClassLoader()) {
            return SerializationFactory.getKryo(conf);
        }
        Map<String, Object> changed = new HashMap<>(conf);
        changed.replace(Config.TOPOLOGY_KRYO_FACTORY, STORMS, ProgramKryoFactory.class.getName());
        Kryo kryo = SerializationFactory.getKryo(changed);
        if (kryo.getClassLoader() == Kryo.class.getClassLoader()) {
            kryo.setClassLoader(loader());
        }
        return kryo;
    }

    /** Returns the loader of the calling thread; in a thread of Updraft the system loader, which asks the program. */
    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        boolean foreign = context == null || context == ProgramKryoFactory.class.getClassLoader();
        return foreign ? ClassLoader.getSystemClassLoader() : context;
    }

    @Override
    public Kryo getKryo(Map<String, Object> conf) {
        Kryo kryo = new ProgramKryo();
        kryo.setRegistrationRequired(!(Boolean) conf.get(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION));
        kryo.setReferences(false);
        return kryo;
    }

    /** Storm's Kryo, with the Java serialization of this class. */
    private static final class ProgramKryo extends KryoSerializableDefault {
        @Override
        @SuppressWarnings("rawtypes") // As in Storm and Kryo.
        public Serializer getDefaultSerializer(Class type) {
            Serializer serializer = super.getDefaultSerializer(type);
            return serializer instanceof SerializableSerializer ? new ProgramSerializer() : serializer;
        }
    }

    /** Reads the bytes of Storm's serializer. */
    private static final class ProgramSerializer extends SerializableSerializer {
        @Override
        @SuppressWarnings("rawtypes") // As in Storm.
        public Object read(Kryo kryo, Input input, Class type) {
            byte[] bytes = input.readBytes(input.readInt());
            try {
                return UserObjects.read(bytes, kryo.getClassLoader());
            } catch (IOException | ClassNotFoundException e) {
                throw new RuntimeException(e);
            }
        }
    }
}
