package io.updraft.storm.conf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StormConfigTest {
    @TempDir
    Path folder;

    @Test
    void shouldPutALaterFileOverAnEarlierOne() throws Exception {
        Path first = file("first.yaml", "topology.workers: 5\ntopology.debug: true\nmy.list: [1, 2]\n");
        Path second = file("second.yaml", "topology.debug: false\n");
        StormConfig config = StormConfig.read(List.of(first, second), List.of("topology.workers=9"));

        assertThat(config.files())
                .containsEntry("topology.workers", 5)
                .containsEntry("topology.debug", false)
                .containsEntry("my.list", List.of(1, 2));
        assertThat(config.options()).containsOnly(Map.entry("topology.workers", 9));
    }

    @Test
    void shouldTellTheClusterOptionsThatAreNotAboutTopologies() throws Exception {
        Path file = file("storm.yaml", "topology.debug: true\nupdraft.blobs.dir: a\n");
        StormConfig config = StormConfig.read(
                List.of(file), List.of("updraft.blobs.dir=b", "drpc.max_buffer_size=9", "topology.workers=9"));
        assertThat(config.daemon())
                .containsOnly(
                        Map.entry("topology.debug", true),
                        Map.entry("updraft.blobs.dir", "b"),
                        Map.entry("drpc.max_buffer_size", 9));
    }

    @Test
    void shouldReadOptionValuesAsStormDoes() throws Exception {
        StormConfig config = StormConfig.read(
                List.of(),
                List.of(
                        "a=1",
                        "b=true",
                        "c=2.5",
                        "d=[1,2]",
                        "e={\"x\": \"y\"}",
                        "f=some text",
                        "g=k=v",
                        "h=",
                        "i=null"));

        assertThat(config.options())
                .containsEntry("a", 1)
                .containsEntry("b", true)
                .containsEntry("c", 2.5)
                .containsEntry("d", List.of(1, 2))
                .containsEntry("e", Map.of("x", "y"))
                .containsEntry("f", "some text")
                .containsEntry("g", "k=v")
                .containsEntry("i", null);
    }

    @Test
    void shouldHandEveryOptionToStormsClientUnchanged() throws Exception {
        StormConfig config = StormConfig.read(
                List.of(),
                List.of("n=1", "text=a, b = 100% {x}", "list=[1,{\"k\":\"v,w\"}]", "path=/a/b", "url=http://h/?q=1"));

        try (SystemProperties properties = new SystemProperties()) {
            properties.set("storm.options", config.asStormOptions());
            assertThat(Utils.readCommandLineOpts()).isEqualTo(config.options());
        }
    }

    @Test
    void shouldNameFileAndLineOfBadYaml() throws Exception {
        Path bad = file("bad.yaml", "topology.workers: 1\ntopology.name: [unclosed\nnext: 1\n");

        assertThatThrownBy(() -> StormConfig.read(List.of(bad), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(bad + ":3:")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void shouldRefuseFilesThatAreNotSettings() throws Exception {
        Path list = file("list.yaml", "- a\n- b\n");
        Path number = file("number.yaml", "1: x\n");

        assertThatThrownBy(() -> StormConfig.read(List.of(list), List.of()))
                .hasMessage(list + ": expected lines of 'key: value', found a list");
        assertThatThrownBy(() -> StormConfig.read(List.of(number), List.of()))
                .hasMessage(number + ": the key '1' is not a string; put it in quotes");
        assertThatThrownBy(() -> StormConfig.read(List.of(folder.resolve("none.yaml")), List.of()))
                .hasMessage(folder.resolve("none.yaml") + ": no such file");
    }

    @Test
    void shouldNotBuildObjectsThatAFileNames() throws Exception {
        Path evil = file("evil.yaml", "a: !!java.net.URL [\"http://localhost\"]\n");

        assertThatThrownBy(() -> StormConfig.read(List.of(evil), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(evil + ":1:");
    }

    @Test
    void shouldTakeAnEmptyFile() throws Exception {
        assertThat(StormConfig.read(List.of(file("empty.yaml", "# nothing\n")), List.of())
                        .files())
                .isEmpty();
    }

    @Test
    void shouldRefuseAnOptionWithoutAValue() {
        assertThatThrownBy(() -> StormConfig.read(List.of(), List.of("topology.workers")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("-c topology.workers: expected key=value");
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
