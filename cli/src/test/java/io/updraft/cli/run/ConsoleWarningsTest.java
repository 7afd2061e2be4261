package io.updraft.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.http.PortCertificate;
import java.net.URI;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.config.Configuration;
import org.apache.logging.log4j.core.config.ConfigurationFactory;
import org.apache.logging.log4j.core.config.LoggerConfig;
import org.junit.jupiter.api.Test;

/** Warnings that a pipeline prints. The logger of a class that moves to another package must not fall silent. */
class ConsoleWarningsTest {
    @Test
    void shouldSayOnTheTerminalThatACertificateIsNotRenewed() throws Exception {
        URI file = LogFile.class.getResource("log4j2.xml").toURI();
        Configuration logging =
                ConfigurationFactory.getInstance().getConfiguration(new LoggerContext("warnings"), "warnings", file);
        logging.initialize();
        LoggerConfig certificates = logging.getLoggerConfig(PortCertificate.class.getName());
        assertThat(certificates.getAppenderRefs())
                .extracting(each -> each.getRef())
                .contains("console");
    }
}
