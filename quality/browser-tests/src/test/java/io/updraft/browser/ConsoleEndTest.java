package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import io.updraft.cli.programs.Ailing;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the page says when its process has ended, or stands still. */
class ConsoleEndTest {
    /** The page says so within three seconds; the machine may be busy. */
    private static final IsVisibleOptions SOON = new IsVisibleOptions().setTimeout(8_000);

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    Path directory;

    private static Locator banner(Page page) {
        return page.locator("#gone");
    }

    private static Locator kill(Page page) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Kill"));
    }

    @Test
    @Tag("slow")
    void shouldSayThatTheProcessWasKilledAndLeadToItsSuccessor() throws Exception {
        UpdraftRun run = ConsoleRun.wordCount(directory);
        try (run) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            assertThat(page.locator("#connection")).hasText("live");
            assertThat(kill(page)).isEnabled();
            page.evaluate("window.isFirst = true");

            run.process().signal("KILL");
            assertThat(banner(page)).isVisible(SOON);
            assertThat(banner(page)).containsText("No answer for 3 s");
            assertThat(kill(page)).isDisabled();

            String port = String.valueOf(URI.create(run.address()).getPort());
            try (UpdraftRun next = ConsoleRun.wordCount(directory, "--ui-port", port)) {
                assertThat(next.address()).isEqualTo(run.address());
                assertThat(banner(page)).containsText("was killed, or its JVM crashed");
                assertThat(page.evaluate("window.isFirst")).isEqualTo(true);
                page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Open its console"))
                        .click();
                assertThat(page.locator("#connection")).hasText("live");
                assertThat(page.getByText("Nothing is wrong")).isVisible();
                assertThat(page.evaluate("window.isFirst")).isNull();
                tab.leave();
            }
            tab.takeErrors();
        }
    }

    @Test
    @Tag("long")
    void shouldSayThatTheProcessStandsStillAndGoOnWithIt() throws Exception {
        try (UpdraftRun run = ConsoleRun.wordCount(directory)) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            assertThat(kill(page)).isEnabled();

            run.process().signal("STOP");
            assertThat(banner(page)).isVisible(SOON);
            assertThat(page.locator("#connection")).hasText("no answer");
            assertThat(kill(page)).isDisabled();

            run.process().signal("CONT");
            assertThat(page.locator("#connection")).hasText("live");
            assertThat(banner(page)).isHidden();
            assertThat(kill(page)).isEnabled();
            tab.leave();
            tab.takeErrors();
        }
    }

    @Test
    @Tag("long")
    void shouldSayWhyTheProcessHasEndedItself() throws Exception {
        try (UpdraftRun run = ConsoleRun.program(directory, List.of(), Ailing.class, Ailing.Way.EXIT_LATER.name())) {
            BrowserPage tab = BROWSER.open(run.address());
            assertThat(banner(tab.page())).isVisible(new IsVisibleOptions().setTimeout(20_000));
            assertThat(banner(tab.page())).containsText("System.exit was called at");
            assertThat(tab.page().locator("#connection")).hasText("ended");
            assertThat(run.process().awaitExit()).isNotZero();
            tab.leave();
            tab.takeErrors();
        }
    }
}
