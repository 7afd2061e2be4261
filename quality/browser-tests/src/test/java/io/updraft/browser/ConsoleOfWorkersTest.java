package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.RequestOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The console when processes end, and when it may change nothing. */
class ConsoleOfWorkersTest {

    private static final int FORBIDDEN = 403;

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    Path directory;

    @Test
    @Tag("long")
    void shouldRestartAWorkerAndSayWhyTheLastOneEnded() throws Exception {
        try (UpdraftRun run = ConsoleRun.wordCount(directory, "--workers", "2")) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            page.getByRole(AriaRole.NAVIGATION).getByText("Processes").click();
            Locator worker = page.getByRole(AriaRole.TABLE).getByRole(AriaRole.ROW, rowNamed("worker 0"));
            assertThat(worker).containsText("MiB of");
            assertThat(page.getByRole(AriaRole.TABLE).getByRole(AriaRole.ROW, rowNamed("worker 1")))
                    .containsText("up");
            tab.assertAccessible();
            String first = worker.getByRole(AriaRole.CELL).nth(1).textContent();
            worker.getByRole(AriaRole.LINK).click();
            for (String plot : List.of("Memory", "CPU", "Garbage collection")) {
                assertThat(page.locator("#timeline")
                                .getByRole(AriaRole.IMG, new Locator.GetByRoleOptions().setName(plot + ":")))
                        .isVisible();
            }
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Restart worker 0"))
                    .click();
            page.getByRole(AriaRole.DIALOG)
                    .getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Restart worker 0"))
                    .click();
            assertThat(page.locator("#messages")).containsText("is killed and starts again");
            page.getByRole(AriaRole.NAVIGATION).getByText("Processes").click();
            assertThat(worker.getByRole(AriaRole.CELL).nth(1)).not().hasText(first);
            assertThat(worker).containsText(Pattern.compile("up.*restarted in the console by"));
            page.getByRole(AriaRole.NAVIGATION).getByText("Deaths").click();
            assertThat(page.getByRole(AriaRole.TABLE).locator("tbody tr").first())
                    .containsText(Pattern.compile("this run.*worker 0 .* was restarted in the console by .*; it ran"));
            tab.leave();
            tab.takeErrors(); // A request for the old process may fail while it ends.
        }
    }

    private static Locator.GetByRoleOptions rowNamed(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    @Test
    @Tag("long")
    void shouldOfferNoActionWhenItMayChangeNothing() throws Exception {
        try (UpdraftRun run = ConsoleRun.wordCount(directory, "--ui-read-only")) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            assertThat(page.getByText("Nothing is wrong")).isVisible();
            assertThat(page.getByText("read-only: this console takes no actions"))
                    .isVisible();
            assertThat(page.locator("#actions button:visible")).hasCount(0);
            APIResponse answer = page.request()
                    .post(
                            run.address() + "console/api/kill",
                            RequestOptions.create().setData(Map.of("topology", "loads", "seconds", 0)));
            assertThat(answer.status()).isEqualTo(FORBIDDEN);
            assertThat(answer.text()).contains("read-only");
            tab.leave();
        }
    }
}
