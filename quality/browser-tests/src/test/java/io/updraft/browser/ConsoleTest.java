package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The console of a run that is well. The tests share the run; the last one kills its topology. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConsoleTest {

    private static final int LAST = Integer.MAX_VALUE;

    @RegisterExtension
    static final Browsing BROWSER = new Browsing();

    @TempDir
    static Path directory;

    @AutoClose
    private static UpdraftRun run;

    @BeforeAll
    static void start() throws Exception {
        run = ConsoleRun.wordCount(directory);
    }

    @Test
    void shouldShowThatNothingIsWrongAndFiguresThatChange() {
        Page page = BROWSER.open(run.address()).page();
        assertThat(page.getByText("Nothing is wrong")).isVisible();
        for (String id : List.of("spout sentences", "bolt split", "bolt count", "bolt report")) {
            assertThat(graph(page).getByRole(AriaRole.LINK, named(id))).isVisible();
        }
        Locator rate = row(page, "components", "split").getByRole(AriaRole.CELL).nth(5);
        assertThat(rate).hasText(Pattern.compile("[1-9].*"));
        String before = rate.textContent();
        assertThat(rate).not().hasText(before);
    }

    @Test
    @Tag("long")
    void shouldBeAccessibleOnEveryPageInLightAndDark() {
        BrowserPage tab = BROWSER.open(run.address());
        String pid = row(open(tab.page(), "#/processes"), "Processes", "run")
                .getByRole(AriaRole.LINK)
                .getAttribute("href");
        for (String hash :
                List.of("#/", "#/topology/loads/component/count", "#/processes", pid, "#/files", "#/deaths")) {
            open(tab.page(), hash);
            assertThat(tab.page().getByRole(AriaRole.HEADING).first()).isVisible();
            tab.prefer(ColorScheme.LIGHT);
            tab.assertAccessible();
            tab.prefer(ColorScheme.DARK);
            tab.assertContrast();
        }
    }

    @Test
    void shouldDrawOnlyTheFiguresOfTheProcessOnItsPage() {
        Page page = BROWSER.open(run.address()).page();
        row(open(page, "#/processes"), "Processes", "run")
                .getByRole(AriaRole.LINK)
                .click();
        assertThat(page.locator("#timeline figcaption h3"))
                .hasText(new String[] {"Memory", "CPU", "Garbage collection"});
    }

    @Test
    void shouldOpenAComponentByKeyboard() {
        Page page = BROWSER.open(run.address()).page();
        assertThat(graph(page).getByRole(AriaRole.LINK, named("bolt count"))).isVisible();
        for (int i = 0; i < 30 && !focused(page).startsWith("bolt count"); i++) {
            page.keyboard().press("Tab");
        }
        page.keyboard().press("Enter");
        assertThat(page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
                .containsText("count");
        assertThat(page.locator("#main")).isFocused();
    }

    @Test
    void shouldDrawTheTimelineOfAComponent() {
        Page page = open(BROWSER.open(run.address()).page(), "#/topology/loads/component/count");
        Locator timeline = page.getByRole(AriaRole.REGION, new Page.GetByRoleOptions().setName("Timeline"));
        assertThat(timeline.locator("canvas").first()).isVisible();
        assertThat(timeline.getByText("executed").first()).isVisible();
        assertThat(row(page, "Inputs", "split")).containsText("fields");
    }

    @Test
    @Tag("slow")
    void shouldRecordAFlameGraphAndAHeapDumpAndDeleteThem() throws Exception {
        BrowserPage tab = BROWSER.open(run.address());
        assertThat(row(tab.page(), "components", "split")).isVisible();
        Page page = open(tab.page(), "#/topology/loads/component/split");
        Locator form = page.getByRole(AriaRole.FORM, new Page.GetByRoleOptions().setName("Flame graph"));
        form.getByLabel("Event").selectOption("cpu");
        form.getByLabel("Seconds").fill("1");
        button(form, "Record").click();
        Locator made = page.locator("ul.made li");
        assertThat(made).containsText("samples");
        Path flame = tab.download(directory, () -> link(made, "Download").click());
        assertThat(Files.readString(flame)).startsWith("<!DOCTYPE html>");
        Page view = page.waitForPopup(() -> link(made, "View").click());
        assertThat(view.locator("canvas").first()).isVisible();
        assertThat(view.evaluate("origin")).isEqualTo("null");

        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(Pattern.compile("process \\d+")))
                .click();
        button(page.locator("main"), "Heap dump").click();
        button(page.getByRole(AriaRole.DIALOG), "Write heap dump").click();
        Path heap = tab.download(directory, () -> link(made, "Download").click());
        try (var in = Files.newInputStream(heap)) {
            assertThat(new String(in.readNBytes(12), StandardCharsets.US_ASCII)).isEqualTo("JAVA PROFILE");
        }
        Path threads = tab.download(
                directory,
                () -> button(page.locator("main"), "Download as text").click());
        assertThat(Files.readString(threads)).contains("Threads of process").contains(".run(");

        open(page, "#/files");
        Locator delete = button(page.locator("main"), "Delete ");
        assertThat(delete).hasCount(2);
        delete.first().click();
        assertThat(delete).hasCount(1);
        delete.first().click();
        assertThat(page.getByText("None yet")).isVisible();
    }

    @Test
    @Order(LAST)
    void shouldActOnATopologyAndLogWhoDidSo() throws Exception {
        BrowserPage tab = BROWSER.open(run.address());
        Page page = tab.page();
        act(page, "Deactivate", "Deactivate");
        assertThat(page.locator(".state")).hasText("inactive");
        act(page, "Activate", "Activate");
        assertThat(page.locator(".state")).hasText("running");

        button(page.locator("#actions"), "Rebalance").click();
        page.getByRole(AriaRole.DIALOG).getByLabel("count (now 2").fill("4");
        button(page.getByRole(AriaRole.DIALOG), "Rebalance").click();
        assertThat(row(page, "components", "count")).containsText("4/4");

        act(page, "Log level", "Set level");
        assertThat(page.locator("#messages")).containsText("logger ROOT has the level debug for 600 s");

        button(page.locator("#actions"), "Kill").click();
        page.getByRole(AriaRole.DIALOG).getByLabel("Wait at most").fill("1");
        button(page.getByRole(AriaRole.DIALOG), "Kill loads").click();
        assertThat(run.process().awaitExit()).isZero();
        assertThat(page.locator("#connection")).hasText("ended");
        assertThat(page.getByRole(AriaRole.ALERT)).containsText("The process has ended: the run has ended");
        tab.leave();
        tab.takeErrors();
        assertThat(ConsoleRun.logs(directory))
                .contains(
                        "POST /console/api/deactivate {\"topology\":\"loads\"} -> 200",
                        "POST /console/api/activate {\"topology\":\"loads\"} -> 200",
                        "POST /console/api/rebalance {\"topology\":\"loads\",\"executors\":{\"count\":4}} -> 200",
                        "POST /console/api/log-level",
                        "POST /console/api/kill {\"topology\":\"loads\",\"seconds\":1} -> 200");
    }

    private static void act(Page page, String action, String submit) {
        button(page.locator("#actions"), action).click();
        button(page.getByRole(AriaRole.DIALOG), submit).click();
        assertThat(page.getByRole(AriaRole.DIALOG)).isHidden();
    }

    private static Page open(Page page, String hash) {
        page.evaluate("hash => { location.hash = hash; }", hash);
        return page;
    }

    private static String focused(Page page) {
        return String.valueOf(page.evaluate("document.activeElement.getAttribute('aria-label')"));
    }

    private static Locator graph(Page page) {
        return page.getByRole(AriaRole.GROUP, new Page.GetByRoleOptions().setName("Graph of loads"));
    }

    private static Locator.GetByRoleOptions named(String name) {
        return new Locator.GetByRoleOptions().setName(name);
    }

    private static Locator row(Page page, String table, String row) {
        return page.getByRole(AriaRole.TABLE, new Page.GetByRoleOptions().setName(table))
                .getByRole(AriaRole.ROW, named(row));
    }

    private static Locator button(Locator place, String name) {
        return place.getByRole(AriaRole.BUTTON, named(name));
    }

    private static Locator link(Locator place, String name) {
        return place.getByRole(AriaRole.LINK, named(name));
    }
}
