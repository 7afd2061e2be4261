package io.updraft.storm.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConfCycleTest {

    @Test
    void shouldFindAMapInItself() {
        Map<String, Object> conf = new HashMap<>();
        conf.put("again", conf);
        assertThat(ConfCycle.in(conf)).hasValue("again");
    }

    @Test
    void shouldTellTheWayThroughListsAndMaps() {
        List<Object> list = new ArrayList<>(List.of("x"));
        list.add(Map.of("b", list));
        assertThat(ConfCycle.in(Map.of("a", list))).hasValue("a[1].b");
    }

    @Test
    void shouldAllowOneValueInTwoPlaces() {
        List<String> shared = List.of("x");
        assertThat(ConfCycle.in(Map.of("a", shared, "b", Map.of("c", shared)))).isEmpty();
        assertThat(ConfCycle.in(null)).isEmpty();
    }
}
