package io.updraft.observe.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.observe.metrics.ExpositionParser.Series;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.storm.shade.org.yaml.snakeyaml.LoaderOptions;
import org.apache.storm.shade.org.yaml.snakeyaml.Yaml;
import org.apache.storm.shade.org.yaml.snakeyaml.constructor.SafeConstructor;
import org.junit.jupiter.api.Test;

/** The alerting rules of the documentation. {@link GrafanaDashboardTest} compares their figures with those of a run. */
class AlertRulesTest {
    private static final Path FILE = Path.of("..", "docs", "alerts.yaml");

    private record Rule(Map<?, ?> members) {
        String text(String key) {
            return (String) members.get(key);
        }

        Object in(String map, String key) {
            return ((Map<?, ?>) members.get(map)).get(key);
        }
    }

    private static List<Rule> rules() throws IOException {
        try (Reader text = Files.newBufferedReader(FILE)) {
            Map<?, ?> file = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
            return ((List<?>) file.get("groups"))
                    .stream()
                            .map(Map.class::cast)
                            .flatMap(group -> ((List<?>) group.get("rules")).stream())
                            .map(rule -> new Rule((Map<?, ?>) rule))
                            .toList();
        }
    }

    @Test
    void shouldBeRulesThatPrometheusLoads() throws IOException {
        List<Rule> rules = rules();
        assertThat(rules)
                .extracting(rule -> rule.text("alert"))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("Updraft[A-Za-z]+"));
        for (Rule rule : rules) {
            assertThat(Set.of("alert", "expr", "for", "labels", "annotations"))
                    .containsAll(rule.members().keySet().stream()
                            .map(String.class::cast)
                            .toList());
            assertThat(rule.text("expr")).contains("updraft_");
            assertThat(rule.text("for"))
                    .satisfiesAnyOf(
                            none -> assertThat(none).isNull(),
                            time -> assertThat(time).matches("\\d+[sm]"));
            assertThat(rule.in("labels", "severity")).isIn("critical", "warning");
        }
    }

    @Test
    void shouldNameTheCommandToTypeNext() throws IOException {
        for (Rule rule : rules()) {
            assertThat(rule.in("annotations", "summary")).isNotNull();
            assertThat((String) rule.in("annotations", "command"))
                    .matches("updraft (deaths|dead-letters|errors|heap|history|ps|stack|top)( .*)?");
        }
    }

    @Test
    void shouldHaveARuleForEachKindOfTrouble() throws IOException {
        RunMetrics run = new RunMetrics(() -> List.of(MetricsTextTest.troubled("words")), () -> Duration.ZERO, false);
        Set<String> kinds =
                ExpositionParser.parse(MetricsText.of(run, ExpositionFormat.PROMETHEUS), false).keySet().stream()
                        .map(Series::labels)
                        .map(labels -> labels.get("kind"))
                        .filter(kind -> kind != null)
                        .collect(Collectors.toSet());
        assertThat(kinds).isNotEmpty();
        String expressions = rules().stream().map(rule -> rule.text("expr")).collect(Collectors.joining("\n"));
        assertThat(kinds).allSatisfy(kind -> assertThat(expressions).contains("{kind=\"" + kind + "\"} == 1"));
    }
}
