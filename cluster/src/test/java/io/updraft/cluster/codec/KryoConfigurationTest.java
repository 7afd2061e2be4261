package io.updraft.cluster.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.updraft.cluster.codec.KryoReader.BoundedInput;
import io.updraft.engine.plan.InvalidTopology;
import io.updraft.engine.tuple.Batch;
import io.updraft.engine.tuple.EngineTuple;
import io.updraft.engine.tuple.Origin;
import io.updraft.storm.launch.ProgramClasses;
import io.updraft.storm.text.FailureMessages;
import java.io.Serializable;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.serialization.IKryoDecorator;
import org.apache.storm.tuple.DetachedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.ListDelegate;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Kryo writes values as the topology configures it. */
final class KryoConfigurationTest {

    /** A class of the user's, neither registered nor known. */
    record Point(int x, int y) implements Serializable {}

    /** An interface of the user's. */
    public interface Named {}

    /** Handles the calls of a proxy; all handlers are equal. */
    record Handler() implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return switch (method.getName()) {
                case "equals" -> proxy.getClass() == arguments[0].getClass();
                case "hashCode" -> 1;
                default -> "proxy";
            };
        }
    }

    /** Has a copy of the user's classes. */
    private static final class Program extends URLClassLoader implements ProgramClasses {
        Program() {
            super(
                    new URL[] {Point.class.getProtectionDomain().getCodeSource().getLocation()},
                    Point.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Point.class.getName()) || name.equals(Named.class.getName())
                    ? findOwn(name)
                    : super.loadClass(name, resolve);
        }

        @Override
        public Class<?> findOwn(String name) throws ClassNotFoundException {
            Class<?> type = findLoadedClass(name);
            return type == null ? findClass(name) : type;
        }
    }

    /** Writes a point as a text, which tells it from all others. */
    public static final class PointSerializer extends Serializer<Point> {

        @Override
        public void write(Kryo kryo, Output output, Point point) {
            output.writeString("point " + point.x + " " + point.y);
        }

        @Override
        public Point read(Kryo kryo, Input input, Class<? extends Point> type) {
            String[] words = input.readString().split(" ");
            return new Point(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        }
    }

    /** Registers {@link Point}. */
    public static final class Decorator implements IKryoDecorator {

        @Override
        public void decorate(Kryo kryo) {
            kryo.register(Point.class, new PointSerializer());
        }
    }

    /** Stands for one that encrypts: flips all bits of a list of one text. */
    public static final class Flipping extends Serializer<ListDelegate> {

        @Override
        public void write(Kryo kryo, Output output, ListDelegate values) {
            byte[] text = values.getDelegate().get(0).toString().getBytes(StandardCharsets.UTF_8);
            output.writeInt(text.length);
            output.writeBytes(flip(text));
        }

        @Override
        public ListDelegate read(Kryo kryo, Input input, Class<? extends ListDelegate> type) {
            ListDelegate values = new ListDelegate();
            byte[] text = flip(input.readBytes(input.readInt()));
            values.setDelegate(new ArrayList<>(List.of(new String(text, StandardCharsets.UTF_8))));
            return values;
        }

        private static byte[] flip(byte[] bytes) {
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) ~bytes[i];
            }
            return bytes;
        }
    }

    private static Batch batch(TestPlan test, Object... values) {
        Batch batch = new Batch();
        batch.add(EngineTuple.untracked(test.origin("words", "default"), new Values(values)), test.task("split", 0));
        return batch;
    }

    private static void shouldSurvive(TestPlan test, Object... values) throws CodecException {
        shouldSurvive(test, batch(test, values));
    }

    private static void shouldSurvive(TestPlan test, Batch batch) throws CodecException {
        BatchEncoder encoder = test.encoder(BatchRoundTripTest.NOBODY);
        encoder.start(batch);
        ByteBuffer frame = encoder.frame();
        assertThat(BatchDescription.of(test.decoder(BatchRoundTripTest.NOBODY).decode(frame)))
                .isEqualTo(BatchDescription.of(batch));
    }

    private static List<String> refusals(TestPlan test, Object... values) {
        List<String> reasons = new ArrayList<>();
        BatchEncoder encoder = test.encoder(refusal -> reasons.add(refusal.reason()));
        encoder.start(batch(test, values));
        encoder.frame();
        return reasons;
    }

    private static String bytes(TestPlan test, Object... values) {
        BatchEncoder encoder = test.encoder(BatchRoundTripTest.NOBODY);
        encoder.start(batch(test, values));
        return StandardCharsets.ISO_8859_1.decode(encoder.frame()).toString();
    }

    @Test
    void shouldRefuseAClassThatIsNotRegistered() {
        assertThat(refusals(TestPlan.create(), new Point(1, 2)))
                .singleElement()
                .asString()
                .contains("field 0 of class " + Point.class.getName());
    }

    /** Neither Java serialization nor a registration by the user is needed. */
    @Test
    void shouldSendLateTuplesOfWindows() throws CodecException {
        TestPlan test = TestPlan.create();
        Origin words = test.origin("words", "default");
        Tuple late = EngineTuple.untracked(words, new Values("late", new ArrayList<>(List.of(7L))));

        shouldSurvive(test, new DetachedTuple(late));
    }

    @Test
    void shouldUseARegisteredSerializer() throws CodecException {
        TestPlan test = TestPlan.with(Map.of(
                Config.TOPOLOGY_KRYO_REGISTER,
                List.of(Map.of(Point.class.getName(), PointSerializer.class.getName()))));
        shouldSurvive(test, 1, new Point(3, 4), new ArrayList<>(List.of(new Point(5, 6))), "x");
        // Kryo marks the end of a text of ASCII in its last char.
        assertThat(bytes(test, new Point(3, 4))).contains("point 3 ");
    }

    @Test
    void shouldAskDecorators() throws CodecException {
        TestPlan test = TestPlan.with(Map.of(Config.TOPOLOGY_KRYO_DECORATORS, List.of(Decorator.class.getName())));
        shouldSurvive(test, new Point(3, 4));
    }

    /** Storm 3 has a second method, and the first one has a default. */
    @Test
    void shouldRefuseADecoratorThatIsCompiledForStorm3() throws Exception {
        ClassWriter type = new ClassWriter(0);
        String name = getClass().getPackageName() + ".DecoratorOfStorm3";
        String[] interfaces = {Type.getInternalName(IKryoDecorator.class)};
        type.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name.replace('.', '/'), null, "java/lang/Object", interfaces);
        MethodVisitor constructor = type.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        MethodHandles.lookup().defineClass(type.toByteArray());
        Map<String, Object> conf = Utils.readStormConfig();

        conf.put(Config.TOPOLOGY_KRYO_DECORATORS, List.of(Decorator.class.getName()));
        assertThatCode(() -> ProgramKryoFactory.check(conf, FailureMessages::oneLine))
                .doesNotThrowAnyException();
        conf.put(Config.TOPOLOGY_KRYO_DECORATORS, List.of(name));
        assertThatThrownBy(() -> ProgramKryoFactory.check(conf, FailureMessages::oneLine))
                .isInstanceOf(InvalidTopology.class)
                .hasMessageStartingWith("the topology's Kryo cannot be created: Storm 2.8.3 has no")
                .hasMessageContaining(name);
    }

    @Test
    void shouldFallBackOnJavaSerializationIfToldTo() throws CodecException {
        TestPlan test = TestPlan.with(Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));
        shouldSurvive(test, new Point(3, 4), "and", new Point(5, 6));
    }

    /** Updraft has a copy of the class too, as of Guava, which many programs bring. */
    @Test
    void shouldReadValuesOfAClassThatTheProgramAndUpdraftHaveWithTheProgramsCopy() throws Exception {
        TestPlan test = TestPlan.with(Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (Program program = new Program()) {
            thread.setContextClassLoader(program);
            Constructor<?> constructor =
                    program.loadClass(Point.class.getName()).getDeclaredConstructor(int.class, int.class);
            constructor.setAccessible(true);
            Object point = constructor.newInstance(1, 2);
            Class<?> named = program.loadClass(Named.class.getName());
            Object proxy = Proxy.newProxyInstance(program, new Class<?>[] {named}, new Handler());
            Batch batch = batch(test, point, new ArrayList<>(List.of(point)), List.of(point), List.of(proxy));
            shouldSurvive(test, batch);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void shouldForgetWhatKryoNamedInATupleThatFailed() throws CodecException {
        TestPlan test = TestPlan.with(Map.of(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, true));
        List<Object> endless = new ArrayList<>(List.of(new Point(0, 0)));
        endless.add(endless);
        List<String> reasons = new ArrayList<>();
        BatchEncoder encoder = test.encoder(refusal -> reasons.add(refusal.reason()));
        BatchDecoder decoder = test.decoder(BatchRoundTripTest.NOBODY);
        Batch good = batch(test, new Point(1, 2));
        Batch mixed = batch(test, endless);
        mixed.addAll(batch(test, new Point(3, 4), new Object()));
        mixed.addAll(good);
        encoder.start(mixed);
        assertThat(BatchDescription.of(decoder.decode(encoder.frame()))).isEqualTo(BatchDescription.of(good));
        assertThat(reasons).hasSize(2);
    }

    @Test
    void shouldLetTheUsersTupleSerializerWriteAllValues() throws CodecException {
        TestPlan test = TestPlan.with(Map.of(Config.TOPOLOGY_TUPLE_SERIALIZER, Flipping.class.getName()));
        shouldSurvive(test, "secret");
        assertThat(bytes(test, "secret")).doesNotContain("secret");
        assertThat(bytes(TestPlan.create(), "secret")).contains("secret");
        assertThat(refusals(test)).singleElement().asString().contains("cannot be serialized");
    }

    @Test
    void shouldRefuseValuesThatTheUsersTupleSerializerDidNotWrite() {
        TestPlan encrypting = TestPlan.with(Map.of(Config.TOPOLOGY_TUPLE_SERIALIZER, Flipping.class.getName()));
        TestPlan plain = TestPlan.create();
        for (TestPlan sender : List.of(encrypting, plain)) {
            TestPlan receiver = sender == plain ? encrypting : plain;
            BatchEncoder encoder = sender.encoder(BatchRoundTripTest.NOBODY);
            encoder.start(batch(sender, "secret"));
            BatchDecoder decoder = receiver.decoder(BatchRoundTripTest.NOBODY);
            assertThatThrownBy(() -> decoder.decode(encoder.frame()))
                    .isInstanceOf(CodecException.class)
                    .hasMessageContaining("topology.tuple.serializer");
        }
    }

    @Test
    void shouldNotLetKryoAllocateTextsAndArraysThatAreOnlyAnnounced() {
        BoundedInput input = new BoundedInput();
        byte[] large = {(byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, 0x07};
        input.setBuffer(large);
        assertThatThrownBy(input::readString).hasMessageContaining("are left");
        input.setBuffer(large);
        assertThatThrownBy(() -> input.readBytes(Integer.MAX_VALUE)).hasMessageContaining("are left");
        assertThatThrownBy(() -> input.readLongs(1)).hasMessageContaining("are left");
        assertThatThrownBy(() -> input.readInts(2, true)).isInstanceOf(RuntimeException.class);
    }
}
