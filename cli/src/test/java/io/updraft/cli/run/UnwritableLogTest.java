package io.updraft.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.logging.log4j.core.LoggerContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a log file that cannot be written. */
class UnwritableLogTest {
    private static final String FILE = "updraft.log";
    private static final String PERMISSIONS = "updraft.log.permissions";

    @TempDir
    Path directory;

    private final PrintStream standardError = System.err;
    private final String before = System.getProperty(FILE);

    @AfterEach
    void restore() {
        System.setErr(standardError);
        System.clearProperty(PERMISSIONS);
        if (before == null) {
            System.clearProperty(FILE);
        } else {
            System.setProperty(FILE, before);
        }
    }

    @Test
    void shouldSayOnceThatTheLogIsCutShort() throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/dev/full")));
        assertThat(toldWhenLoggingTo("/dev/full"))
                .isEqualTo("updraft: the log cannot be written and lines are missing (is the disk full?): /dev/full"
                        + System.lineSeparator());
    }

    /** As root it would close a device to all others. */
    @Test
    void shouldNotChangeThePermissionsOfWhatExists() throws Exception {
        Path log = Files.createFile(directory.resolve("it.log"));
        Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-rw-rw-"));
        toldWhenLoggingTo(log.toString());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-rw-rw-");
    }

    @Test
    void shouldSayNothingOfALogThatCanBeWritten() throws Exception {
        Path log = directory.resolve("it.log");
        assertThat(toldWhenLoggingTo(log.toString())).isEmpty();
        assertThat(log).content().contains("first", "second");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log)))
                .isEqualTo("rw-------");
    }

    private static String toldWhenLoggingTo(String file) throws Exception {
        ByteArrayOutputStream reported = new ByteArrayOutputStream();
        System.setErr(new PrintStream(reported, true, StandardCharsets.UTF_8));
        System.setProperty(FILE, file);
        System.setProperty(PERMISSIONS, LogFile.permissions(Path.of(file)));
        URI configuration = LogFile.class.getResource("log4j2.xml").toURI();
        try (LoggerContext context = new LoggerContext("unwritable", null, configuration)) {
            context.start();
            context.getLogger("some").error("first");
            context.getLogger("other").error("second");
        }
        return reported.toString(StandardCharsets.UTF_8);
    }
}
