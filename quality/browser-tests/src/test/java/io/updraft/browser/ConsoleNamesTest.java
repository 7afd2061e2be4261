package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.updraft.cli.programs.LongNaming;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the page does with names that are long, or that would reverse the text beside them, on a phone. */
@Tag("slow")
class ConsoleNamesTest {
    private static final int PHONE = 390;
    private static final int PHONE_HEIGHT = 844;
    private static final String ESCAPED = LongNaming.REVERSED.replace("\u202e", "\\u202e");

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    static Path directory;

    @AutoClose
    private static UpdraftRun run;

    @BeforeAll
    static void start() throws Exception {
        run = ConsoleRun.program(directory, List.of(), LongNaming.class, LongNaming.ENDLESS);
    }

    @Test
    void shouldNeitherWidenThePageNorReverseTheTextBesideAName() {
        BrowserPage tab = BROWSER.open(run.address());
        Page page = tab.page();
        page.setViewportSize(PHONE, PHONE_HEIGHT);
        assertThat(page.locator(".remarks li").first()).isVisible();
        assertFits(page, "topology");
        assertThat(top(page.getByText("What is wrong"))).isLessThan(top(page.locator(".totals")));
        assertThat(top(page.locator(".totals"))).isLessThan(top(page.locator("#actions")));
        deactivate(page);

        for (String id : LongNaming.IDS) {
            page.navigate(address(page, "#/topology/" + LongNaming.ENDLESS + "/component/" + encoded(id)));
            assertThat(page.locator(".errors li").first()).isVisible();
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Show stacks"))
                    .click();
            assertThat(page.getByText("threads of process").first()).isVisible();
            page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Read log"))
                    .click();
            assertThat(page.getByLabel("Log lines")).containsText(ESCAPED);
            page.locator(".errors summary").first().click();
            assertThat(page.locator(".errors pre").first()).containsText(ESCAPED);
            assertFits(page, id.substring(0, 5));
            tab.assertAccessible();
        }
        assertThat(page.locator("h1")).containsText(ESCAPED);
        assertThat(page.locator("h1 bdi")).hasText(LongNaming.REVERSED.split("\u202e")[0]);
        assertThat(page.title()).startsWith(ESCAPED);

        Object pid = page.evaluate("fetch('/console/api/session').then(r => r.json()).then(s => s.pid)");
        for (String hash : List.of("#/processes", "#/process/" + pid, "#/files", "#/deaths")) {
            page.navigate(address(page, hash));
            assertThat(page.locator("h1")).isVisible();
            assertFits(page, hash);
        }
        assertThat(page.content()).doesNotContain("\u202e");
        tab.leave();
        // There is no history in the first second of a run.
        assertThat(tab.takeErrors()).allMatch(error -> error.contains("/console/api/history"));
    }

    @Test
    void shouldKeepOtherUsersOutOfTheLog() throws Exception {
        Path logs = directory.resolve("state/logs");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(logs)))
                .isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(logs)) {
            assertThat(files).isNotEmpty().allMatch(ConsoleNamesTest::isPrivate);
        }
    }

    private static boolean isPrivate(Path file) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    .equals("rw-------");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void deactivate(Page page) {
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Deactivate"))
                .click();
        Locator dialog = page.getByRole(AriaRole.DIALOG);
        assertThat(dialog).isVisible();
        assertThat((Boolean) dialog.evaluate("d => d.scrollWidth <= d.clientWidth"))
                .isTrue();
        dialog.getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName("Deactivate"))
                .click();
        assertThat(page.locator("#messages")).containsText("is inactive");
        assertFits(page, "message");
        page.getByLabel("Close the message").click();
    }

    private static void assertFits(Page page, String what) {
        assertThat(page.evaluate("document.scrollingElement.scrollWidth"))
                .as("width of " + what)
                .isEqualTo(PHONE);
        // A box that hides what is beside it hides it for good: only tables, logs and graphs scroll.
        List<?> cut = (List<?>) page.evaluate("[...document.querySelectorAll('main section, main > div')]"
                + ".filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.className + ' ' + e.scrollWidth)");
        assertThat(cut).as("wide parts of " + what).isEmpty();
    }

    private static double top(Locator place) {
        return place.first().boundingBox().y;
    }

    private static String address(Page page, String hash) {
        return page.url().split("#")[0] + hash;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
