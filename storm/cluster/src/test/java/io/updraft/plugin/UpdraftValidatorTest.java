package io.updraft.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.nimbus.ITopologyValidator;
import org.apache.storm.utils.ConfigUtils;
import org.apache.storm.utils.WrappedInvalidTopologyException;
import org.apache.storm.validation.ConfigValidation;
import org.junit.jupiter.api.Test;

class UpdraftValidatorTest {
    private final Map<String, Object> seen = new HashMap<>();
    private final UpdraftValidator validator = new UpdraftValidator(seen::putAll);
    private final StormTopology topology = new StormTopology(new HashMap<>(), new HashMap<>(), new HashMap<>());
    private final Map<String, Object> conf = new HashMap<>();

    @Test
    void shouldFollowTheMajorVersionOfTheCluster() {
        assertThat(UpdraftValidator.versionKey("2.8.3")).isEqualTo("2.999");
        assertThat(UpdraftValidator.versionKey("3.0.0-SNAPSHOT")).isEqualTo("3.999");
        assertThat(UpdraftValidator.versionKey("Unknown")).isEqualTo("2.999");
    }

    @Test
    void shouldHaveTheWholeConfigurationChecked() throws Exception {
        conf.put(UpdraftKeys.ENABLED, true);
        conf.put("topology.acker.executors", 2);
        validate(Map.of("topology.acker.executors", 1, "updraft.loops", 3));
        assertThat(seen).containsEntry("topology.acker.executors", 2).containsEntry("updraft.loops", 3);
    }

    private void validate(Map<String, Object> nimbus) throws InvalidTopologyException {
        validator.prepare(nimbus);
        validator.validate("words", conf, topology);
    }

    @Test
    void shouldLeaveTopologiesToStormUnlessTold() throws Exception {
        topology.set_storm_version("2.8.3");
        validate(Map.of());
        assertThat(topology.get_storm_version()).isEqualTo("2.8.3");
        assertThat(conf).isEmpty();
    }

    @Test
    void shouldGiveATopologyThatAsksForItItsVersionAndASecretOfItsOwn() throws Exception {
        conf.put(UpdraftKeys.ENABLED, true);
        validate(Map.of());
        assertThat(topology.get_storm_version()).isEqualTo("2.999.0");
        Object first = conf.get(UpdraftKeys.SECRET);
        validate(Map.of());
        assertThat(conf.get(UpdraftKeys.SECRET)).isNotNull().isNotEqualTo(first);
    }

    @Test
    void shouldKeepTheSecretOutOfLogs() throws Exception {
        conf.put(UpdraftKeys.ENABLED, true);
        validate(Map.of());
        assertThat(ConfigUtils.maskPasswords(conf).get(UpdraftKeys.SECRET)).isEqualTo("*****");
    }

    /** Storm's client would warn of such a key at each submission. */
    @Test
    void shouldShowStormNoKeyWithoutAnAnnotationOfAValidator() {
        assertThat(UpdraftKeys.class.getDeclaredFields())
                .filteredOn(ConfigValidation::isFieldAllowed)
                .isNotEmpty()
                .allMatch(field -> field.getAnnotations().length > 0);
    }

    @Test
    void shouldTakeTheDefaultOfTheClusterUnlessTheTopologySaysOtherwise() throws Exception {
        validate(Map.of(UpdraftKeys.ENABLED, true));
        assertThat(topology.get_storm_version()).isEqualTo("2.999.0");
        topology.set_storm_version("2.8.3");
        conf.put(UpdraftKeys.ENABLED, "false");
        validate(Map.of(UpdraftKeys.ENABLED, true));
        assertThat(topology.get_storm_version()).isEqualTo("2.8.3");
    }

    @Test
    void shouldRefuseAValueThatIsNeitherTrueNorFalse() {
        conf.put(UpdraftKeys.ENABLED, "yes");
        assertThatThrownBy(() -> validate(Map.of()))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessage("topology.updraft.enabled is 'yes': it must be true or false");
        assertThatThrownBy(() -> validate(Map.of(UpdraftKeys.ENABLED, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("storm.yaml: topology.updraft.enabled is '1': it must be true or false");
    }

    @Test
    void shouldAskTheOtherValidatorFirst() {
        conf.put(UpdraftKeys.ENABLED, true);
        assertThatThrownBy(() -> validate(Map.of(UpdraftKeys.NEXT, Refusing.class.getName(), "why", "no words")))
                .isInstanceOf(InvalidTopologyException.class)
                .hasMessage("no words");
        assertThat(topology.is_set_storm_version()).isFalse();
    }

    /** What an operator had in force before. */
    public static final class Refusing implements ITopologyValidator {
        private Object why;

        @Override
        public void prepare(Map<String, Object> nimbus) {
            why = nimbus.get("why");
        }

        @Override
        public void validate(String name, Map<String, Object> topologyConf, StormTopology topology)
                throws InvalidTopologyException {
            throw new WrappedInvalidTopologyException(why.toString());
        }
    }
}
