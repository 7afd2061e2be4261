package io.updraft.observe.advice;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class CapacityModelTest {

    private static ComponentLoad component(String id, boolean spout, int executors, double busy, double calls) {
        return new ComponentLoad(id, spout, executors, executors, true, busy, busy / executors, 0, calls, 0, "");
    }

    private static TopologyLoad load(double cpu, double inFlight, long maxPending, ComponentLoad... components) {
        Map<String, List<String>> targets = Map.of("src", List.of("parse"), "parse", List.of("count"));
        return new TopologyLoad(10, List.of(components), targets, 2, 0.1, 0.05, 2, cpu, inFlight, 0, maxPending);
    }

    private static List<Step> steps(TopologyLoad load) {
        return new Improvements(load, new CapacityModel(load)).steps();
    }

    @Test
    void shouldGiveTheBusiestComponentMoreExecutorsUntilTheNextOneLimits() {
        List<Step> steps = steps(load(
                0.2,
                0,
                0,
                component("src", true, 1, 0.01, 1000),
                component("parse", false, 2, 1.94, 1000),
                component("count", false, 1, 0.55, 1000)));
        assertThat(steps.get(0).change()).isEqualTo("parse 2 -> 4 executors");
        assertThat(steps.get(0).factor()).isBetween(1.75, 1.78);
        assertThat(steps.get(0).next().limits()).isEqualTo("count limits");
        assertThat(steps.get(1).change()).isEqualTo("count 1 -> 2 executors");
    }

    @Test
    void shouldNotForecastMoreThanTheCoresGive() {
        List<Step> steps =
                steps(load(1.6, 0, 0, component("src", true, 1, 0.01, 1000), component("parse", false, 1, 0.98, 1000)));
        assertThat(steps).singleElement().satisfies(step -> {
            assertThat(step.factor()).isBetween(1.2, 1.25);
            assertThat(step.next().limits()).isEqualTo("the cores limit");
        });
    }

    @Test
    void shouldNotAdviseExecutorsForCallsThatDoNotReturn() {
        Advice advice =
                Advice.of(load(0.1, 100, 100, component("src", true, 1, 0, 0), component("parse", false, 1, 1, 0)));
        assertThat(advice.line())
                .isEqualTo("parse has completed no call: more executors may not help (see 'updraft stack')");
        assertThat(advice.text()).noneMatch(line -> line.contains("-> "));
    }

    @Test
    void shouldNotSayThatSpoutsHaveNoMoreWhenTuplesInFlightHoldThemBack() {
        Advice advice =
                Advice.of(load(0.1, 100, 100, component("src", true, 1, 0, 10), component("parse", false, 1, 0.5, 10)));
        assertThat(advice.text()).last().asString().contains("topology.max.spout.pending (100 tuple trees) holds");
    }

    @Test
    void shouldNotAdviseExecutorsAgainstAHotKey() {
        ComponentLoad count = new ComponentLoad("count", false, 2, 2, true, 1.2, 0.98, 0, 1000, 0.8, "word = the");
        Advice advice = Advice.of(load(0.2, 0, 0, component("src", true, 1, 0.01, 1000), count));
        assertThat(advice.text())
                .anyMatch(line -> line.equals("more executors of count do not help: 80% of its tuples have"
                        + " word = the, and one task gets them all"));
    }

    @Test
    void shouldSayWhatComesAfterAHotKey() {
        ComponentLoad count = new ComponentLoad("count", false, 4, 4, true, 1.2, 0.98, 0, 1000, 0.8, "word = the");
        Advice advice = Advice.of(load(0.2, 0, 0, component("src", true, 1, 0.5, 1000), count));
        assertThat(advice.line()).startsWith("more executors of count do not help: 80% of its tuples have word = the");
        assertThat(advice.text())
                .anyMatch(line -> line.startsWith("1. the keys of count spread evenly: about ")
                        && line.endsWith("then src limits"));
    }

    @Test
    void shouldRaiseComponentsTogetherThatAreEquallyBusy() {
        List<Step> steps = steps(load(
                0.2,
                0,
                0,
                component("src", true, 1, 0.01, 1000),
                component("parse", false, 1, 0.99, 1000),
                component("count", false, 1, 0.98, 1000)));
        assertThat(steps.get(0).change()).isEqualTo("parse 1 -> 2 executors, count 1 -> 2 executors");
        assertThat(steps.get(0).factor()).isBetween(1.95, 2.05);
    }

    @Test
    void shouldSayThatCallsWaitAndGiveThemManyExecutors() {
        ComponentLoad sink = new ComponentLoad("count", false, 1, 1, true, 1, 1, 0.96, 900, 0, "");
        Advice advice = Advice.of(load(0.2, 0, 0, component("src", true, 1, 0.01, 900), sink));
        assertThat(advice.text())
                .contains("limit: count, 100% of its time in calls that wait")
                .anyMatch(line -> line.startsWith("1. count 1 -> 10 executors: about 10.0x in all, 9,000 messages/s"));
    }

    @Test
    void shouldNotSayThatSpoutsHaveNoMoreWhenBackPressureHoldsThemBack() {
        TopologyLoad load = new TopologyLoad(
                10,
                List.of(component("src", true, 1, 0.01, 1000), component("parse", false, 1, 0.6, 1000)),
                Map.of("src", List.of("parse")),
                2,
                0.1,
                0.05,
                2,
                0.4,
                0,
                0.9,
                0);
        assertThat(Advice.of(load).text()).contains("limit: parse, 60% busy").anyMatch(line -> line.startsWith("1. "));
    }

    @Test
    void shouldRaiseTheLimitOfPendingMessages() {
        // A message needs 2 ms + 1 ms, so that 8 of them make 2,667 messages/s.
        List<Step> steps = steps(load(
                0.2,
                8,
                8,
                component("src", true, 1, 0.01, 2500),
                component("parse", false, 16, 5.0, 2500),
                component("count", false, 16, 2.5, 2500)));
        assertThat(steps.get(0).change()).startsWith("topology.max.spout.pending 8 -> ");
        assertThat(steps.get(0).next().limits()).isEqualTo("parse limits");
        assertThat(steps.get(0).factor()).isBetween(2.8, 3.2);
    }

    @Test
    void shouldNotAdviseMoreExecutorsThanTasks() {
        ComponentLoad parse = new ComponentLoad("parse", false, 3, 2, true, 1.95, 0.98, 0, 1000, 0, "");
        List<Step> steps = steps(load(0.2, 0, 0, component("src", true, 1, 0.01, 1000), parse));
        assertThat(steps)
                .singleElement()
                .satisfies(step -> assertThat(step.change()).isEqualTo("parse 2 -> 3 executors"));
    }

    @Test
    void shouldSayNothingOfATopologyThatKeepsUp() {
        Advice advice = Advice.of(
                load(0.2, 0, 0, component("src", true, 1, 0.01, 1000), component("parse", false, 1, 0.4, 1000)));
        assertThat(advice.line()).isEmpty();
        assertThat(advice.json()).containsEntry("limit", null).containsEntry("steps", List.of());
    }

    @Test
    void shouldForecastMoreWithEachStepAndNeverMoreThanTheCoresGive() {
        SplittableRandom random = new SplittableRandom(30);
        for (int i = 0; i < 5_000; i++) {
            TopologyLoad load = any(random);
            double most = 1.001 * new CapacityModel(load).limit(Setup.of(load)).use() * load.cores() / load.cpu();
            double before = 1;
            for (Step step : steps(load)) {
                assertThat(step.factor())
                        .as("%s: %s", load, step)
                        .isGreaterThan(before)
                        .isLessThanOrEqualTo(most);
                before = step.factor();
            }
            assertThat(Advice.of(load).text()).as("%s", load).isNotEmpty();
        }
    }

    private static TopologyLoad any(SplittableRandom random) {
        List<ComponentLoad> components = new ArrayList<>();
        int count = random.nextInt(1, 6);
        for (int i = 0; i < count; i++) {
            int executors = random.nextInt(1, 9);
            int tasks = executors * random.nextInt(1, 3);
            double busy = random.nextDouble() * executors;
            double key = random.nextInt(4) == 0 ? random.nextDouble() : 0;
            double busiest = Math.min(1, busy / executors * (1 + random.nextDouble()));
            components.add(new ComponentLoad(
                    "c" + i,
                    i == 0,
                    tasks,
                    executors,
                    random.nextBoolean(),
                    busy,
                    busiest,
                    busy * random.nextDouble(),
                    random.nextInt(100_000),
                    key,
                    "k"));
        }
        int cores = random.nextInt(1, 9);
        return new TopologyLoad(
                10,
                components,
                Map.of("c0", List.of("c1"), "c1", List.of("c0", "c2")),
                random.nextInt(1, 5),
                random.nextDouble(),
                random.nextDouble(),
                cores,
                0.01 + cores * random.nextDouble(),
                random.nextInt(200),
                random.nextInt(2),
                random.nextInt(100));
    }
}
