package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.updraft.cli.programs.Deadlocking;
import io.updraft.cli.programs.Skewed;
import io.updraft.servers.KafkaServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the console says when something is wrong. */
@Tag("slow")
class ConsoleTroubleTest {

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    Path directory;

    @Test
    void shouldLeadFromTheStartToTheStackOfADeadlock() throws Exception {
        try (UpdraftRun run = ConsoleRun.program(directory, List.of(), Deadlocking.class)) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            page.getByRole(AriaRole.LISTITEM)
                    .filter(new Locator.FilterOptions().setHasText("Deadlock"))
                    .getByRole(AriaRole.LINK)
                    .click();
            assertThat(page.getByText("Stuck: 1 call in a deadlock")).isVisible();
            assertThat(page.getByLabel("Stack").first())
                    .containsText("io.updraft.cli.programs.Deadlocking$Hanging.execute(Deadlocking.java:");
            tab.assertAccessible();
            tab.prefer(ColorScheme.DARK);
            tab.assertContrast();
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Show stacks"))
                    .click();
            assertThat(page.getByText("Deadlock: 2 threads wait for each other"))
                    .isVisible();
            assertThat(page.getByText("Deadlocking$Hanging.flush(Deadlocking.java:")
                            .first())
                    .isVisible();
            tab.leave();
            run.process().signal("KILL"); // Else it waits for the call that never returns.
        }
    }

    @Test
    void shouldShowTheFiguresAndTheBadRecordsOfAPipeline() throws Exception {
        Path data = Files.writeString(directory.resolve("data.csv"), """
                t,k,v
                2026-01-01T00:00:00Z,a,1
                nonsense,a,1
                2026-01-01T00:05:00Z,a,3
                """);
        String text = """
                name: hosts
                source: {file: %s, follow: true}
                flatten: {fields: {t: {type: time, format: iso}, k: text, v: long}}
                aggregate: {group_by: k, measures: {n: count(), s: sum(v)}, every: 1m}
                sinks: [{csv: {path: "%s"}}]
                time: {field: t, idle: 1s}
                parallelism: 1
                state: %s
                """.formatted(data, directory.resolve("out.csv"), directory.resolve("positions"));
        try (UpdraftRun run = ConsoleRun.pipeline(directory, text)) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            page.getByRole(
                            AriaRole.LINK,
                            new Page.GetByRoleOptions().setName("hosts").setExact(true))
                    .click();
            assertThat(page.getByText("1 of 3 records cannot be used")).isVisible();
            assertThat(page.getByText("expected a time (iso), found \"nonsense\""))
                    .isVisible();
            tab.assertAccessible();
            tab.leave();
        }
    }

    @Test
    @Tag("long")
    void shouldMarkAHotKeyInTheGraphTheTableAndTheComponent() throws Exception {
        try (UpdraftRun run = ConsoleRun.program(directory, List.of(), Skewed.class, "70")) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            assertThat(page.locator(".graph .pill")).hasText("hot key");
            assertThat(page.getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName("components"))
                            .getByRole(AriaRole.ROW)
                            .filter(new Locator.FilterOptions().setHasText("count")))
                    .containsText("hot key");
            page.locator(".graph a", new Page.LocatorOptions().setHasText("count"))
                    .first()
                    .click();
            assertThat(page.getByLabel("Hot keys")).containsText("word, day = the, 3");
            assertThat(page.getByLabel("Keys").getByRole(AriaRole.ROW).nth(1)).containsText("the");
            tab.leave();
        }
    }

    @Test
    @Tag("long")
    void shouldNameThePartitionThatHoldsWindowsOpen() throws Exception {
        try (UpdraftRun run = LaggingPipeline.start(KafkaServer.shared(), directory)) {
            BrowserPage tab = BROWSER.open(run.address() + "#/topology/hosts");
            Locator row = tab.page()
                    .getByRole(
                            AriaRole.TABLE,
                            new Page.GetByRoleOptions().setName("partitions").setExact(true))
                    .getByRole(AriaRole.ROW)
                    .filter(new Locator.FilterOptions().setHasText("console-hosts-1"));
            assertThat(row).containsText("19 s");
            assertThat(row).containsText("00:00:01");
            assertThat(tab.page().getByRole(AriaRole.LISTITEM).filter(new Locator.FilterOptions().setHasText("Lag")))
                    .containsText("console-hosts-1");
            tab.assertAccessible();
            tab.leave();
        }
    }
}
