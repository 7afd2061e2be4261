package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.updraft.cli.programs.Marking;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the page does with hostile names, and with another process at its address. */
@Tag("slow")
class ConsoleAttackTest {

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    Path directory;

    @TempDir
    Path second;

    @Test
    void shouldShowMarkupInNamesAsText() throws Exception {
        try (UpdraftRun run = ConsoleRun.program(directory, List.of(), Marking.class)) {
            BrowserPage tab = BROWSER.open(run.address());
            Page page = tab.page();
            String name = Marking.MARKUP.replace(".", " ");
            assertThat(page.getByRole(
                            AriaRole.HEADING,
                            new Page.GetByRoleOptions().setName(name).setExact(true)))
                    .isVisible();
            String topology = page.url().split("#")[0] + "#/topology/" + encoded(name);
            for (String id : Marking.IDS) {
                page.navigate(topology);
                page.getByLabel("Table of components")
                        .locator("a")
                        .filter(new Locator.FilterOptions().setHasText(shown(id)))
                        .first()
                        .click();
                assertThat(page.locator("h1")).containsText(shown(id));
                assertThat(page.getByLabel("Errors", new Page.GetByLabelOptions().setExact(true)))
                        .containsText(Marking.MARKUP);
                assertThat(page.url()).endsWith("/component/" + encoded(id));
            }
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Show stacks"))
                    .click();
            assertThat(page.getByText("threads of process").first()).isVisible();
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Read log"))
                    .click();
            assertThat(page.getByLabel("Log lines")).isVisible();
            page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Processes"))
                    .click();
            assertThat(page.getByRole(AriaRole.TABLE)).containsText(Marking.MARKUP);
            assertThat(page.evaluate("window.marked")).isNull();
            // There is no history in the first second of a run.
            assertThat(tab.takeErrors()).allMatch(error -> error.contains("/console/api/history"));
            tab.leave();
        }
    }

    /** Characters without a shape are escaped; a line break is a blank. */
    private static String shown(String id) {
        return id.replace("\u202e", "\\u202e").replace("\n", " ");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%27", "'")
                .replace("%28", "(")
                .replace("%29", ")")
                .replace("%21", "!");
    }
}
