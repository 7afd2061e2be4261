package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.updraft.cli.programs.Deadlocking;
import io.updraft.cli.programs.Loads;
import io.updraft.cli.programs.Skewed;
import io.updraft.servers.KafkaServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Makes the pictures of docs/images/console, on demand: each in light and in dark colours. */
@EnabledIfSystemProperty(named = BrowserPage.SCREENSHOTS, matches = ".+")
class ConsoleScreenshots {

    /** For the timelines, which show the time since the start. */
    private static final Duration HISTORY = Duration.ofSeconds(Integer.getInteger("updraft.screenshots.seconds", 90));

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    Path directory;

    @Test
    void wordCount() throws Exception {
        String[] components = {
            "sentences,every=1",
            "split,n=2,from=sentences,out=8,compute=200000",
            "count,n=4,from=split,keyed=1,out=1,compute=30000",
            "report,from=count,compute=12000"
        };
        try (UpdraftRun run = ConsoleRun.program(directory, List.of(), Loads.class, components)) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            assertThat(page.getByText("Nothing is wrong")).isVisible();
            page.waitForTimeout(HISTORY.toMillis());
            take(tab, "word-count");
            page.navigate(run.address() + "#/topology/loads/component/count");
            assertThat(page.locator("canvas").first()).isVisible();
            take(tab, "component");
            Locator form = page.getByRole(AriaRole.FORM, new Page.GetByRoleOptions().setName("Flame graph"));
            form.getByLabel("Seconds").fill("3");
            form.getByRole(AriaRole.BUTTON).click();
            Locator made = page.locator("ul.made li");
            assertThat(made).containsText("sample");
            page.getByLabel("Close the message").click();
            page.getByLabel("Tools").evaluate("tools => tools.scrollIntoView()");
            take(tab, "flame-graph");
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Processes"))
                    .first()
                    .click();
            page.getByRole(AriaRole.TABLE).getByRole(AriaRole.LINK).click();
            assertThat(page.getByText(Pattern.compile("\\d+ threads at"))).isVisible();
            take(tab, "process");
            tab.leave();
        }
    }

    @Test
    void deadlock() throws Exception {
        try (UpdraftRun run = ConsoleRun.program(directory, List.of(), Deadlocking.class)) {
            BrowserPage tab = BROWSER.open(run.address());
            Locator deadlock = tab.page().getByRole(AriaRole.LISTITEM).filter(withText("Deadlock"));
            assertThat(deadlock).isVisible();
            assertThat(tab.page().locator(".graph .pill.bad")).isVisible();
            take(tab, "deadlock");
            tab.leave();
            run.process().signal("KILL"); // Else it waits for the call that never returns.
        }
    }

    @Test
    void hotKey() throws Exception {
        try (UpdraftRun run = ConsoleRun.program(directory, List.of(), Skewed.class, "70")) {
            BrowserPage tab = BROWSER.open(run.address());
            assertThat(tab.page().locator(".graph .pill").filter(withText("hot key")))
                    .isVisible();
            take(tab, "hot-key");
            tab.leave();
        }
    }

    @Test
    void lag() throws Exception {
        try (UpdraftRun run = LaggingPipeline.start(KafkaServer.shared(), directory)) {
            BrowserPage tab = BROWSER.open(run.address() + "#/topology/hosts");
            assertThat(tab.page()
                            .getByRole(
                                    AriaRole.TABLE,
                                    new Page.GetByRoleOptions()
                                            .setName("partitions")
                                            .setExact(true))
                            .getByRole(AriaRole.ROW)
                            .filter(withText("console-hosts-1")))
                    .containsText("19 s");
            take(tab, "lag");
            tab.leave();
        }
    }

    private static Locator.FilterOptions withText(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    private static void take(BrowserPage tab, String name) {
        for (ColorScheme colours : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            tab.prefer(colours);
            tab.screenshot(name + "-" + colours.name().toLowerCase(Locale.ROOT));
        }
    }
}
