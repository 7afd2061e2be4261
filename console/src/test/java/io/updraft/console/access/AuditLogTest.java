package io.updraft.console.access;

import static io.updraft.console.access.AccessQueries.query;
import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.http.HttpAnswer;
import io.updraft.http.HttpPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The lines of {@code io.updraft.audit}. */
class AuditLogTest {
    private final List<String> lines = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private final AbstractAppender appender = new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
            lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
        }
    };
    private final Logger logger = ((LoggerContext) LogManager.getContext(false)).getLogger(AuditLog.LOGGER);
    private final Level before = logger.getLevel();

    @BeforeEach
    void listen() {
        appender.start();
        logger.addAppender(appender);
        logger.setLevel(Level.INFO);
    }

    @AfterEach
    void stop() {
        logger.removeAppender(appender);
        logger.setLevel(before);
    }

    private ConsoleAccess access(ClientCheck clients, boolean readOnly) throws Exception {
        UiSettings settings = new UiSettings(true, true, 0, null, List.of(), List.of(), readOnly, null, null);
        return new ConsoleAccess(
                new HostNames(settings, AccessQueries.OWN.getAddress()),
                clients,
                new SiteCheck(false),
                readOnly,
                new AuditLog(clock::get));
    }

    @Test
    void shouldLogEachActionWithItsResult() throws Exception {
        ClientCheck alice = query -> ClientCheck.Client.user("alice (uid 1000)");
        HttpPage page = query -> HttpAnswer.text(202, query.user());
        String json = "Content-Type: application/json";
        ConsoleAccess access = access(alice, false);
        access.answer(query("POST", "/act?wait=1", json, "{\n\"a\": \"\u00e4\"}"), page);
        access.answer(query("DELETE", "/act", "Origin: http://evil.example", null), page);
        access.answer(query("POST", "/act", "Host: evil.example", null), page);
        access.answer(query("GET", "/", null, null), page);
        access(alice, true).answer(query("POST", "/act", json, "x".repeat(600)), page);
        assertThat(lines)
                .containsExactly(
                        "INFO alice (uid 1000) from 192.0.2.7:50123: POST /act?wait=1 {\\n\"a\": \"\\u00e4\"} -> 202",
                        "INFO alice (uid 1000) from 192.0.2.7:50123: DELETE /act -> 403",
                        "INFO unknown from 192.0.2.7:50123: POST /act -> 421",
                        "INFO alice (uid 1000) from 192.0.2.7:50123: POST /act " + "x".repeat(500) + "... -> 403");
    }

    @Test
    void shouldNotLogTokens() throws Exception {
        ConsoleAccess access = access(query -> ClientCheck.Client.refused(HttpAnswer.text(401, "no\n")), false);
        access.answer(query("POST", "/act?token=SECRET&a=token", null, null), query -> HttpAnswer.text(200, ""));
        access.answer(query("POST", "/act?a=b&token=SECRET", null, null), query -> HttpAnswer.text(200, ""));
        assertThat(lines)
                .containsExactly(
                        "INFO unknown from 192.0.2.7:50123: POST /act?token=...&a=token -> 401",
                        "INFO unknown from 192.0.2.7:50123: POST /act?a=b&token=... -> 401");
    }

    @Test
    void shouldNotLetUnknownClientsFillTheLog() throws Exception {
        ConsoleAccess access = access(query -> ClientCheck.Client.refused(HttpAnswer.text(401, "no\n")), false);
        HttpPage page = query -> HttpAnswer.text(200, "done");
        for (int i = 0; i < 1_000; i++) {
            access.answer(query("POST", "/act", null, null), page);
        }
        assertThat(lines).hasSize(AuditLog.MAX_UNKNOWN + 1);
        assertThat(lines.get(AuditLog.MAX_UNKNOWN)).contains("more actions of unknown clients");
        clock.addAndGet(TimeUnit.MINUTES.toNanos(1));
        access.answer(query("POST", "/act", null, null), page);
        assertThat(lines).last().asString().endsWith("POST /act -> 401");
    }
}
