package io.updraft.storm;

import static org.assertj.core.api.Assertions.assertThat;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.NodeInfo;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.serialization.SerializationFactory;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.streams.Pair;
import org.apache.storm.streams.tuple.Tuple10;
import org.apache.storm.streams.tuple.Tuple3;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;

class KryoRegistrationsTest {
    private final TopologyBuilder builder = new TopologyBuilder();

    @Test
    @SuppressWarnings("unchecked")
    void shouldPutTogetherWhatTheTopologyAndItsComponentsRegister() {
        builder.setSpout("words", new TestComponents.QuietSpout());
        builder.setBolt("count", new TestComponents.QuietBolt());
        StormTopology topology = builder.createTopology();
        // As a component's getComponentConfiguration says it.
        topology.get_spouts()
                .get("words")
                .get_common()
                .set_json_conf("{'topology.kryo.register': ['com.acme.B', {'com.acme.A': 'com.acme.OfA'}]}"
                        .replace('\'', '"'));
        topology.get_bolts()
                .get("count")
                .get_common()
                .set_json_conf("{'topology.kryo.decorators': ['com.acme.Decorator']}".replace('\'', '"'));
        Map<String, Object> settings = KryoRegistrations.of(
                topology,
                Map.of(
                        Config.TOPOLOGY_KRYO_REGISTER,
                        Arrays.asList("com.acme.C", Map.of("com.acme.A", "com.acme.AlsoOfA")),
                        Config.TOPOLOGY_KRYO_DECORATORS,
                        List.of("com.acme.Decorator", "com.acme.Other")));

        // What is said of the topology goes before what is said of a component.
        assertThat((Map<String, String>) settings.get(Config.TOPOLOGY_KRYO_REGISTER))
                .containsEntry("com.acme.A", "com.acme.AlsoOfA")
                .containsEntry("com.acme.B", null)
                .containsEntry("com.acme.C", null)
                .hasSize(3);
        assertThat((List<String>) settings.get(Config.TOPOLOGY_KRYO_DECORATORS))
                .containsExactly("com.acme.Decorator", "com.acme.Other");
    }

    @Test
    void shouldSerializeWhatStormsOwnComponentsEmit() {
        Map<String, Object> conf = Utils.readStormConfig();
        for (Object value : List.of(
                CheckPointState.Action.COMMIT,
                Pair.of("a", Pair.of(1L, 2)),
                new Tuple3<>("a", 1, 2.0),
                new Tuple10<>(1, 2, 3, 4, 5, 6, 7, 8, 9, new Values("ten")))) {
            Output out = new Output(64, -1);
            SerializationFactory.getKryo(conf).writeClassAndObject(out, value);
            assertThat(SerializationFactory.getKryo(conf).readClassAndObject(new Input(out.toBytes())))
                    .isEqualTo(value);
        }
    }

    @Test
    void shouldLeaveProgramsClassesTheirNumbers() {
        Kryo kryo = SerializationFactory.getKryo(Utils.readStormConfig());
        assertThat(kryo.isRegistrationRequired()).isTrue();
        assertThat(kryo.getRegistration(CheckPointState.Action.class).getId()).isEqualTo(16_000);
        // The last that Storm itself registers.
        assertThat(kryo.getNextRegistrationId())
                .isEqualTo(kryo.getRegistration(NodeInfo.class).getId() + 1);
    }

    @Test
    void shouldHaveTheFormThatComponentsSeeInStormWhereNoComponentRegistersAnything() {
        builder.setSpout("words", new TestComponents.QuietSpout());
        Map<String, Object> settings = KryoRegistrations.of(
                builder.createTopology(), Map.of(Config.TOPOLOGY_KRYO_REGISTER, List.of("com.acme.A")));

        assertThat(settings)
                .containsEntry(Config.TOPOLOGY_KRYO_REGISTER, Collections.singletonMap("com.acme.A", null))
                .containsEntry(Config.TOPOLOGY_KRYO_DECORATORS, List.of());
    }
}
