package io.updraft.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class LateLoggerTest {
    @Test
    void shouldAskLog4jForEachLineThatItsConfigurationWrites() throws Exception {
        Document configuration;
        try (InputStream in = LateLogger.class.getResourceAsStream("/io/updraft/cli/run/log4j2.xml")) {
            configuration =
                    DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
        }
        NodeList loggers = configuration.getElementsByTagName("Logger");
        assertThat(loggers.getLength()).isPositive();
        for (int i = 0; i < loggers.getLength(); i++) {
            Element logger = (Element) loggers.item(i);
            String name = logger.getAttribute("name") + ".";
            if (!logger.getAttribute("level").equals("off")) {
                assertThat(LateLogger.leastLevel(name).toInt())
                        .as(name)
                        .isLessThanOrEqualTo(level(logger).toInt());
            }
        }
        Element root = (Element) configuration.getElementsByTagName("Root").item(0);
        assertThat(root.getAttribute("level")).isEqualTo("${sys:updraft.log.level:-warn}");
        assertThat(LateLogger.leastLevel("com.acme.Any")).isEqualTo(Level.WARN);
    }

    private static Level level(Element logger) {
        return Level.valueOf(logger.getAttribute("level").toUpperCase(Locale.ROOT));
    }

    @Test
    void shouldStartLog4jWithTheFirstLineOnly() {
        LateLogProvider provider = new LateLogProvider();
        provider.initialize();
        assertThat(provider.getLoggerFactory().getLogger("com.acme.Quiet").isInfoEnabled())
                .isFalse();
        assertThat(LateLogProvider.hasStarted()).isFalse();
        assertThat(provider.getLoggerFactory().getLogger("com.acme.Loud").isWarnEnabled())
                .isTrue();
        assertThat(LateLogProvider.hasStarted()).isTrue();
    }
}
