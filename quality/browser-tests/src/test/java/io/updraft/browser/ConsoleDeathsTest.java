package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route.FulfillOptions;
import com.microsoft.playwright.options.AriaRole;
import io.updraft.cli.programs.Ailing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the page says of processes that have ended, and of what is not yet there. */
@Tag("slow")
class ConsoleDeathsTest {
    private static final String HOSTILE = "<img src=x onerror='window.marked=1'>";

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    static Path directory;

    @AutoClose
    private static UpdraftRun run;

    @BeforeAll
    static void start() throws Exception {
        run = ConsoleRun.program(
                directory, List.of("-c", "updraft.max.replays=1"), Ailing.class, Ailing.Way.FAILED_MESSAGES.name());
        Path deaths = Files.createDirectories(directory.resolve("state/deaths"));
        write(deaths.resolve("death-worker-0-7-20260101-000000.txt"), "the older\nrun: 7\n\n", 1_000);
        write(
                deaths.resolve("death-worker-0-8-20260102-000000.txt"),
                "the newer " + HOSTILE + "\u202e\nrun: 7\n\nlast words " + HOSTILE + " \u202e\n",
                2_000);
    }

    private static void write(Path file, String text, long secondsOfEpoch) throws Exception {
        Files.writeString(file, text);
        Files.setLastModifiedTime(file, FileTime.fromMillis(secondsOfEpoch * 1_000));
    }

    @Test
    void shouldListDeathsByDateNewestFirstAndOpenTheirRecordsAsText() {
        BrowserPage tab = BROWSER.open(run.address() + "#/deaths");
        Page page = tab.page();
        Locator rows = page.getByRole(AriaRole.TABLE).locator("tbody tr");
        assertThat(rows).hasCount(2);
        assertThat(rows.nth(0)).containsText("1970-01-01 00:33:20");
        assertThat(rows.nth(0)).containsText("the newer " + HOSTILE + "\\u202e");
        assertThat(rows.nth(1)).containsText("1970-01-01 00:16:40");
        rows.nth(0)
                .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Record"))
                .click();
        assertThat(page.getByLabel("Text of the file")).containsText("last words " + HOSTILE + " \\u202e");
        assertThat(page.evaluate("window.marked")).isNull();
        tab.assertAccessible();
        tab.leave();
    }

    @Test
    void shouldTakeNoOrdersOnThePageOfAProcessThatHasEnded() {
        BrowserPage tab = BROWSER.open(run.address() + "#/process/999999999");
        Page page = tab.page();
        assertThat(page.getByText("does not run as process 999999999 any more")).isVisible();
        assertThat(page.locator("main button:visible")).hasCount(0);
        tab.leave();
        assertThat(tab.takeErrors()).allMatch(error -> error.contains("999999999") || error.contains("status of 400"));
    }

    @Test
    void shouldGoToTheTopologyThatComesAfterThePageWasOpened() {
        BrowserPage tab = BROWSER.open("about:blank");
        Page page = tab.page();
        AtomicInteger asked = new AtomicInteger();
        page.route("**/console/api/overview", route -> {
            if (asked.incrementAndGet() <= 2) {
                route.fulfill(
                        new FulfillOptions().setContentType("application/json").setBody("{\"topologies\":[]}"));
            } else {
                route.resume();
            }
        });
        page.navigate(run.address());
        assertThat(page.getByText("No topology runs.")).isVisible();
        assertThat(page.locator("h1")).hasText("ailing");
        assertThat(page.locator("#actions")).isVisible();
        tab.leave();
    }

    @Test
    void shouldAskBeforeItReplaysAllDeadLettersAndSayWhenTheyWereGivenUp() {
        BrowserPage tab = BROWSER.open(run.address() + "#/topology/ailing");
        Page page = tab.page();
        Locator letters = page.getByLabel("Dead letters", new Page.GetByLabelOptions().setExact(true))
                .first();
        assertThat(letters.locator("tbody tr").first())
                .containsText(Pattern.compile("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\dnumbers.*failed"));
        letters.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Replay all"))
                .click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog).containsText("emit each message once more");
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Cancel"))
                .click();
        assertThat(page.locator("#messages")).not().containsText("replays");
        letters.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Replay all"))
                .click();
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Replay all"))
                .click();
        assertThat(page.locator("#messages")).containsText("replays");
        tab.leave();
    }
}
