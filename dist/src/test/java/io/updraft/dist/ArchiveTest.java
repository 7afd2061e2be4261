package io.updraft.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the contents of the archive. */
@Tag("slow")
final class ArchiveTest {
    private static final long MOST_BYTES = 150_000_000;

    private static List<String> listing;

    @BeforeAll
    static void list() throws Exception {
        listing = Installation.listing();
    }

    @Test
    void shouldBeSmall() throws Exception {
        assertThat(Files.size(Installation.archive())).isLessThan(MOST_BYTES);
    }

    @Test
    void shouldHaveNoBenchmarkNoTestServerAndNoTestLibrary() {
        assertThat(listing)
                .filteredOn(line -> line.matches(
                        ".*(bench|fixture|xchart|junit|assertj|storm-server|kafka_2|flink|streams|jmh).*\\.jar"))
                .isEmpty();
    }

    @Test
    void shouldLeaveModesAndOwnersToWhoeverUnpacksIt() {
        assertThat(listing).allMatch(line -> line.matches("(drwxr-xr-x|-rw-r--r--|-rwxr-xr-x) 0/0 .*"));
        assertThat(listing)
                .filteredOn(line -> line.startsWith("-rwx"))
                .singleElement()
                .asString()
                .endsWith("/bin/updraft");
    }

    @Test
    void shouldHaveLicencesNoticesAndDocs() {
        for (String file : List.of(
                "LICENSE",
                "NOTICE",
                "THIRD-PARTY.txt",
                "README.md",
                "updraft-sbom.json",
                "licences/README.md",
                "docs/architecture.md")) {
            assertThat(listing).as(file).anyMatch(line -> line.endsWith("/" + file));
        }
    }

    @Test
    void shouldHaveEachOptionalPartInADirectoryOfItsOwn() {
        for (String part : List.of(
                "transport-aeron/aeron-driver",
                "transport-ucx/jucx",
                "transport-zeromq/jeromq",
                "sink-parquet/parquet-hadoop",
                "sink-postgresql/postgresql",
                "sink-redis/jedis",
                "spill-rocksdb/rocksdbjni")) {
            assertThat(listing).as(part).anyMatch(line -> line.contains("/lib/" + part + "-"));
        }
    }
}
