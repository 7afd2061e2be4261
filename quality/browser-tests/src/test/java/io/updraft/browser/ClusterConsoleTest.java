package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import io.updraft.cli.UpdraftProcess;
import io.updraft.cli.programs.Endless;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The pages of the console of a cluster. A run of Updraft serves as its Nimbus. */
class ClusterConsoleTest {
    private static final Pattern NIMBUS = Pattern.compile(".*Nimbus listens on (localhost:\\d+).*");

    @RegisterExtension
    static final Browsing BROWSING = new Browsing();

    @TempDir
    Path directory;

    @Test
    @Tag("long")
    void shouldShowWhatNimbusKnowsAndHideTheRest() throws Exception {
        String jar = UpdraftProcess.jarOf(Endless.class, directory).toString();
        UpdraftProcess cluster = UpdraftProcess.start(
                directory, "run", "--nimbus-port=0", "--no-ui", "--view=none", jar, Endless.class.getName());
        try {
            String nimbus = cluster.awaitErr(NIMBUS).group(1);
            try (UpdraftRun ui = UpdraftRun.start(directory, "console", "ui", "--nimbus", nimbus, "--ui-port", "0")) {
                check(BROWSING.open(ui.address()).page());
            }
        } finally {
            cluster.signal("TERM");
            cluster.awaitExit();
        }
    }

    private static void check(Page page) {
        Page.GetByTextOptions exact = new Page.GetByTextOptions().setExact(true);
        link(page, "numbers").click();
        Locator columns = page.getByRole(AriaRole.COLUMNHEADER);
        assertThat(columns.filter(containing("Exec mean"))).isVisible();
        assertThat(columns.filter(containing("p99"))).hasCount(0);
        assertThat(columns.filter(containing("Waiting"))).hasCount(0);
        assertThat(page.getByText("In flight", exact)).hasCount(0);
        assertThat(page.getByText("Latencies are means of the last ten minutes"))
                .isVisible();

        button(page, "Log level").click();
        assertThat(label(page, "Logger")).hasValue("ROOT");
        label(page, "Level").selectOption("INFO");
        button(page, "Set level").click();
        assertThat(page.getByText("logger ROOT has the level INFO in all workers of topology 'numbers' for 600 s"))
                .isVisible();

        link(page, "sink").first().click();
        Locator executors = page.locator("table[aria-label=Executors] tbody tr");
        assertThat(executors).hasCount(1);
        assertThat(button(page, "Set")).isVisible();

        link(page, "Processes").first().click();
        assertThat(columns.filter(containing("Assigned memory"))).isVisible();
        assertThat(columns.filter(containing("Heap"))).hasCount(0);
        link(page, "worker").click();
        assertThat(page.getByText("Workers of", exact)).isVisible();
        // A run of Updraft takes no orders for its workers from Nimbus' clients.
        assertThat(button(page, "Thread dump")).hasCount(0);

        link(page, "Cluster").click();
        assertThat(page.locator("table[aria-label=Supervisors] tbody tr")).hasCount(1);
    }

    private static Locator.FilterOptions containing(String text) {
        return new Locator.FilterOptions().setHasText(text);
    }

    private static Locator label(Page page, String name) {
        return page.getByLabel(name, new Page.GetByLabelOptions().setExact(true));
    }

    private static Locator link(Page page, String name) {
        return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
    }

    private static Locator button(Page page, String name) {
        return page.getByRole(
                AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
    }
}
