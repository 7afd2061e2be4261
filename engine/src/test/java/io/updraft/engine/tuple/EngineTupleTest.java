package io.updraft.engine.tuple;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.storm.Config;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.task.GeneralTopologyContext;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.MessageId;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Compares the results and exceptions of the tuple with those of Storm's tuple. */
class EngineTupleTest {

    private static final byte[] BYTES = {1, 2};
    private static final long FIRST_EDGE = EdgeIds.first(1, 77);
    private static final List<Object> VALUES = Arrays.asList(
            "text", 1, 2L, true, (short) 3, (byte) 4, 5.0, 6.0f, BYTES, null, List.of("nested", 1), new int[] {7});
    private static final String[] NAMES = {
        "string", "integer", "long", "boolean", "short", "byte", "double", "float", "binary", "null", "list", "array"
    };
    private static final Fields FIELDS = new Fields(NAMES);

    private static final GeneralTopologyContext CONTEXT = new GeneralTopologyContext(
            new StormTopology(Map.of(), Map.of(), Map.of()),
            Map.of(Config.STORM_CLUSTER_MODE, "distributed"),
            Map.of(7, "source"),
            Map.of("source", List.of(7)),
            Map.of("source", Map.of("stream", FIELDS)),
            "test");
    private static final Origin ORIGIN = Origin.of("source", "stream", 7, FIELDS, CONTEXT);

    private final Tuple storms = new TupleImpl(CONTEXT, VALUES, "source", 7, "stream", MessageId.makeUnanchored());
    private final Tuple ours = EngineTuple.untracked(ORIGIN, VALUES);

    private void shouldAgree(String what, Function<Tuple, ?> question) {
        Object[] answers = new Object[2];
        Throwable expected = catchThrowable(() -> answers[0] = question.apply(storms));
        Throwable actual = catchThrowable(() -> answers[1] = question.apply(ours));
        if (expected == null) {
            assertThat(actual).as(what).isNull();
            assertThat(answers[1]).as(what).isEqualTo(answers[0]);
        } else {
            assertThat(actual).as(what).isExactlyInstanceOf(expected.getClass()).hasMessage(expected.getMessage());
        }
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerLikeStormsByPosition() {
        Map<String, BiFunction<Tuple, Integer, Object>> accessors = Map.of(
                "getValue", Tuple::getValue,
                "getString", Tuple::getString,
                "getInteger", Tuple::getInteger,
                "getLong", Tuple::getLong,
                "getBoolean", Tuple::getBoolean,
                "getShort", Tuple::getShort,
                "getByte", Tuple::getByte,
                "getDouble", Tuple::getDouble,
                "getFloat", Tuple::getFloat,
                "getBinary", Tuple::getBinary);
        return accessors.entrySet().stream()
                .map(accessor -> DynamicTest.dynamicTest(accessor.getKey(), () -> {
                    for (int i = -1; i <= VALUES.size(); i++) {
                        int position = i;
                        shouldAgree(
                                accessor.getKey() + "(" + i + ")",
                                t -> accessor.getValue().apply(t, position));
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> shouldAnswerLikeStormsByField() {
        Map<String, BiFunction<Tuple, String, Object>> accessors = Map.of(
                "getValueByField", Tuple::getValueByField,
                "getStringByField", Tuple::getStringByField,
                "getIntegerByField", Tuple::getIntegerByField,
                "getLongByField", Tuple::getLongByField,
                "getBooleanByField", Tuple::getBooleanByField,
                "getShortByField", Tuple::getShortByField,
                "getByteByField", Tuple::getByteByField,
                "getDoubleByField", Tuple::getDoubleByField,
                "getFloatByField", Tuple::getFloatByField,
                "getBinaryByField", Tuple::getBinaryByField);
        List<String> names = new ArrayList<>(List.of(NAMES));
        names.add("missing");
        names.add(null);
        return accessors.entrySet().stream()
                .map(accessor -> DynamicTest.dynamicTest(accessor.getKey(), () -> {
                    for (String name : names) {
                        shouldAgree(
                                accessor.getKey() + "(" + name + ")",
                                t -> accessor.getValue().apply(t, name));
                    }
                }));
    }

    @Test
    void shouldAnswerLikeStormsAboutItsFields() {
        shouldAgree("size", Tuple::size);
        shouldAgree("getFields", t -> t.getFields().toList());
        shouldAgree("getValues", Tuple::getValues);
        for (String name : new String[] {"string", "array", "missing", "", null}) {
            shouldAgree("contains(" + name + ")", t -> t.contains(name));
            shouldAgree("fieldIndex(" + name + ")", t -> t.fieldIndex(name));
        }
        shouldAgree("select", t -> t.select(new Fields("list", "string", "null")));
        shouldAgree("select of nothing", t -> t.select(new Fields()));
        shouldAgree("select of a missing field", t -> t.select(new Fields("string", "missing")));
    }

    @Test
    void shouldAnswerLikeStormsAboutItsOrigin() {
        shouldAgree("getSourceComponent", Tuple::getSourceComponent);
        shouldAgree("getSourceTask", Tuple::getSourceTask);
        shouldAgree("getSourceStreamId", Tuple::getSourceStreamId);
        shouldAgree("getSourceGlobalStreamId", Tuple::getSourceGlobalStreamId);
        shouldAgree("getContext", Tuple::getContext);
        shouldAgree("getMessageId", Tuple::getMessageId);
        assertThat(ours.getSourceGlobalStreamId()).isEqualTo(new GlobalStreamId("source", "stream"));
    }

    @Test
    void shouldPassValuesByReference() {
        assertThat(ours.getValues()).isSameAs(VALUES);
        assertThat(ours.getBinary(8)).isSameAs(BYTES);
    }

    @Test
    void shouldReadAheadAnyValuesWithoutCallingListsOfUsers() {
        List<Object> computed = new AbstractList<>() {
            @Override
            public Object get(int index) {
                throw new IllegalStateException("computed too early");
            }

            @Override
            public int size() {
                throw new IllegalStateException("computed too early");
            }
        };
        for (List<Object> values : Arrays.asList(
                computed, null, new Values(), new Values((Object) null), new Values(1), new Values("a", computed))) {
            assertThatCode(() -> EngineTuple.untracked(ORIGIN, values).prefetch())
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void shouldBeEqualOnlyToItself() {
        Tuple other = EngineTuple.untracked(ORIGIN, VALUES);
        assertThat(ours).isEqualTo(ours).isNotEqualTo(other);
        assertThat(ours.hashCode()).isEqualTo(System.identityHashCode(ours));
    }

    @Test
    void shouldNameItsOriginItsTreesAndItsValuesInStormsWords() {
        shouldAgree("toString", Tuple::toString);
        Anchors tree = new Anchors();
        tree.add(0, 77, 1001);
        tree.add(0, 78, 1002);
        EngineTuple tuple = EngineTuple.tracked(ORIGIN, List.of("a", 1), tree);
        assertThat(tuple)
                .hasToString("source: source:7, stream: stream, id: {77=1001, 78=1002}, [a, 1]"
                        + " PROC_START_TIME(sampled): null EXEC_START_TIME(sampled): null");
    }

    @Test
    void shouldShowWhenATupleThatIsTimedIsAckedAndChangeNothingElse() {
        EngineTuple timed = EngineTuple.first(ORIGIN, VALUES, 3, 77);
        long edge = timed.pending();
        timed.time(5_000);
        timed.addChild(11);

        assertThat(timed.owner()).isEqualTo(EngineTuple.MANY);
        assertThat(timed.anchors().isTimed()).isTrue();
        assertThat(timed.anchors().since()).isEqualTo(5_000);
        assertThat(timed.anchors().size()).isEqualTo(1);
        assertThat(timed.anchors().owner(0)).isEqualTo(3);
        assertThat(timed.anchors().root(0)).isEqualTo(77);
        assertThat(timed.anchors().edge(0) ^ timed.pending()).isEqualTo(edge ^ 11);
        EngineTuple untracked = EngineTuple.untracked(ORIGIN, VALUES);
        untracked.time(5_000);
        assertThat(untracked.anchors().size()).isZero();
        assertThat(untracked.getMessageId()).isEqualTo(MessageId.makeUnanchored());
    }

    @Test
    void shouldHaveAMessageIdThatTellsTuplesOfOneTreeApartAndTheirTreesTogether() {
        EngineTuple a = EngineTuple.tracked(ORIGIN, VALUES, 1, 77, 1001);
        EngineTuple sibling = EngineTuple.tracked(ORIGIN, VALUES, 1, 77, 1002);
        EngineTuple elsewhere = EngineTuple.tracked(ORIGIN, VALUES, 2, 77, 1001);
        assertThat(a.getMessageId()).isEqualTo(a.getMessageId()).hasSameHashCodeAs(a.getMessageId());
        assertThat(a.getMessageId()).isNotEqualTo(sibling.getMessageId());
        assertThat(a.getMessageId().getAnchors())
                .isEqualTo(sibling.getMessageId().getAnchors())
                .hasSize(1);
        assertThat(a.getMessageId().getAnchors())
                .isNotEqualTo(elsewhere.getMessageId().getAnchors());
    }

    @Test
    void shouldHaveAllTreesInItsMessageId() {
        Anchors trees = new Anchors();
        trees.add(1, 77, 1001);
        trees.add(2, 78, 1002);
        EngineTuple joined = EngineTuple.tracked(ORIGIN, VALUES, trees);
        EngineTuple left = EngineTuple.tracked(ORIGIN, VALUES, 1, 77, 5);
        EngineTuple right = EngineTuple.tracked(ORIGIN, VALUES, 2, 78, 6);
        assertThat(joined.owner()).isEqualTo(EngineTuple.MANY);
        assertThat(joined.getMessageId().getAnchors())
                .hasSize(2)
                .containsAll(left.getMessageId().getAnchors())
                .containsAll(right.getMessageId().getAnchors());
    }

    @Test
    void shouldNotChangeItsMessageIdWhileItIsWorkedOn() {
        Anchors trees = new Anchors();
        trees.add(1, 77, 1001);
        trees.add(2, 78, 1002);
        for (EngineTuple tuple :
                List.of(EngineTuple.tracked(ORIGIN, VALUES, 1, 77, 1001), EngineTuple.tracked(ORIGIN, VALUES, trees))) {
            MessageId id = tuple.getMessageId();
            tuple.addChild(4711);
            assertThat(tuple.getMessageId()).isEqualTo(id);
            tuple.settle();
            assertThat(tuple.getMessageId()).isEqualTo(id);
        }
    }

    @Test
    void shouldReportTheEdgesOfItsChildrenWithItsOwn() {
        EngineTuple tuple = EngineTuple.tracked(ORIGIN, VALUES, 1, 77, 1001);
        tuple.addChild(5);
        tuple.addChild(9);
        assertThat(tuple.pending()).isEqualTo(1001 ^ 5 ^ 9);
        tuple.settle();
        assertThat(tuple.owner()).isLessThan(0);
    }

    @Test
    void shouldHandItsEdgeToAnOnlyChildOfTheSameTurn() {
        EngineTuple parent = EngineTuple.first(ORIGIN, VALUES, 1, 77);
        assertThat(parent.isOnlyEdge()).isTrue();
        EngineTuple child = parent.child(ORIGIN, VALUES, 5, 8);
        assertThat(parent.isOnlyEdge()).isFalse();
        assertThat(child.pending()).isEqualTo(5);
        assertThat(parent.passOn(8)).isTrue();
        assertThat(child.pending()).isEqualTo(FIRST_EDGE);
        assertThat(child.isOnlyEdge()).isTrue();
        assertThat(child.root()).isEqualTo(77);
        assertThat(child.owner()).isEqualTo(1);
    }

    @Test
    void shouldNotTouchAChildThatAnotherTurnMayHaveSent() {
        EngineTuple parent = EngineTuple.first(ORIGIN, VALUES, 1, 77);
        EngineTuple child = parent.child(ORIGIN, VALUES, 5, 8);
        assertThat(parent.passOn(9)).isFalse();
        assertThat(child.pending()).isEqualTo(5);
        assertThat(child.isOnlyEdge()).isFalse();
        assertThat(parent.pending()).isEqualTo(FIRST_EDGE ^ 5);
    }

    @Test
    void shouldKeepItsEdgeWhenItHasSeveralChildren() {
        EngineTuple twins = EngineTuple.first(ORIGIN, VALUES, 1, 77);
        twins.child(ORIGIN, VALUES, 5, 8);
        twins.child(ORIGIN, VALUES, 9, 8);
        assertThat(twins.passOn(8)).isFalse();
        assertThat(twins.isOnlyEdge()).isFalse();
        assertThat(twins.pending()).isEqualTo(FIRST_EDGE ^ 5 ^ 9);
        twins.settle();
        assertThat(twins.pending()).as("for whoever reports it later").isEqualTo(FIRST_EDGE ^ 5 ^ 9);
        EngineTuple mixed = EngineTuple.first(ORIGIN, VALUES, 1, 77);
        mixed.child(ORIGIN, VALUES, 5, 8);
        mixed.addChild(9);
        assertThat(mixed.passOn(8)).isFalse();
        EngineTuple joined = EngineTuple.first(ORIGIN, VALUES, 1, 77);
        joined.addChild(9);
        assertThat(joined.passOn(8)).isFalse();
        assertThat(joined.isOnlyEdge()).isFalse();
        EngineTuple later = EngineTuple.first(ORIGIN, VALUES, 1, 77);
        later.child(ORIGIN, VALUES, 5, 8);
        later.child(ORIGIN, VALUES, 9, 9);
        assertThat(later.passOn(9)).isFalse();
        assertThat(EngineTuple.first(ORIGIN, VALUES, 1, 77).passOn(8)).isFalse();
    }

    @Test
    void shouldBeUntrackedWithoutTreesAndTrackedByOneWithOne() {
        assertThat(EngineTuple.tracked(ORIGIN, VALUES, new Anchors()).owner()).isEqualTo(EngineTuple.UNTRACKED);
        Anchors one = new Anchors();
        one.add(3, 77, 5);
        one.add(3, 77, 6);
        EngineTuple tuple = EngineTuple.tracked(ORIGIN, VALUES, one);
        assertThat(tuple.owner()).isEqualTo(3);
        assertThat(tuple.root()).isEqualTo(77);
        assertThat(tuple.pending()).isEqualTo(5 ^ 6);
    }

    @Test
    void shouldAppendTreesBeyondTheCapacityOfTheirSet() {
        for (int capacity : new int[] {0, 1, 3}) {
            Anchors trees = new Anchors(capacity);
            for (int i = 0; i < 9; i++) {
                trees.append(i, 100 + i, 200 + i);
            }
            trees.add(8, 108, 1);
            assertThat(trees.size()).isEqualTo(9);
            for (int i = 0; i < 8; i++) {
                assertThat(List.of(trees.owner(i), trees.root(i), trees.edge(i)))
                        .containsExactly(i, 100L + i, 200L + i);
            }
            assertThat(trees.edge(8)).isEqualTo(208 ^ 1);
        }
    }
}
