package io.updraft.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Checks what tests in a browser rest on: errors and violations fail a test, and pages behave as in front of a user. */
class BrowsingTest {

    @RegisterExtension
    static final Browsing BROWSING = new Browsing();

    @AutoClose
    private static LocalPages pages;

    @TempDir
    Path directory;

    @BeforeAll
    static void serve() throws IOException {
        pages = new LocalPages();
    }

    @Test
    void shouldPassAPageWithoutErrorsOrViolations() {
        BrowserPage page = open("good", "<p id=\"text\">before</p>", "text.textContent = 'after';");
        assertThat(page.page().locator("#text")).hasText("after");
        page.assertAccessible();
        assertThat(page.takeErrors()).isEmpty();
    }

    @Test
    void shouldFailATestWhosePageThrows() {
        open("throwing", "", "null.broken;");
        assertThatThrownBy(() -> BROWSING.afterEach(null))
                .hasMessageContaining("uncaught: ")
                .hasMessageContaining("broken");
    }

    @Test
    void shouldFailATestWhosePageLogsAnError() {
        open("logging", "", "console.warn('only a warning'); console.error('an error');");
        assertThatThrownBy(() -> BROWSING.afterEach(null))
                .hasMessageContaining("console: an error (")
                .hasMessageContaining("logging.js")
                .hasMessageNotContaining("only a warning");
    }

    @Test
    void shouldFailATestWhosePageLoadsWhatIsMissing() {
        String script = "import('/missing.js').catch(() => text.textContent = 'failed');";
        BrowserPage page = open("loading", "<p id=\"text\"></p>", script);
        assertThat(page.page().locator("#text")).hasText("failed");
        assertThatThrownBy(() -> BROWSING.afterEach(null))
                .hasMessageContaining("404")
                .hasMessageContaining("missing.js");
    }

    @Test
    void shouldFailATestWhosePageBreaksItsPolicy() {
        open("policy", "<button onclick=\"alert(1)\">inline</button>", "");
        assertThatThrownBy(() -> BROWSING.afterEach(null)).hasMessageContaining("Content Security Policy");
    }

    @Test
    void shouldLetATestTakeTheErrorsThatItProvokes() {
        BrowserPage page = open("provoking", "", "console.error('wanted');");
        assertThat(page.takeErrors()).hasSize(1).first().asString().contains("wanted");
        assertThat(page.takeErrors()).isEmpty();
    }

    @Test
    void shouldNameTheElementsThatAreNotAccessible() {
        BrowserPage page = open("violating", "<p><input id=\"unnamed\"></p>", "");
        assertThatThrownBy(page::assertAccessible)
                .hasMessageContaining("axe: label (critical): ")
                .hasMessageContaining("#unnamed");
    }

    @Test
    void shouldDownloadAFileUnderItsName() {
        pages.add("results.csv", "key,count\na,1\n");
        BrowserPage page = open("download", "<a href=\"/results.csv\" download=\"counts.csv\">results</a>", "");
        Path file = page.download(directory, page.page().getByText("results")::click);
        assertThat(file).hasFileName("counts.csv").hasContent("key,count\na,1\n");
    }

    @Test
    void shouldPreferLightColoursOrDarkOnes() {
        BrowserPage page = open("colours", "<p id=\"scheme\">none</p>", """
                const dark = matchMedia('(prefers-color-scheme: dark)');
                const show = () => scheme.textContent = dark.matches ? 'dark' : 'light';
                dark.addEventListener('change', show);
                show();
                """);
        assertThat(page.page().locator("#scheme")).hasText("light");
        page.prefer(ColorScheme.DARK);
        assertThat(page.page().locator("#scheme")).hasText("dark");
    }

    @Test
    void shouldForgetWhatAnotherTestHasStored() {
        String script = "count.textContent = localStorage.length; localStorage.setItem('key', 'value');";
        assertStored(0, script);
        assertStored(1, script);
        BROWSING.afterEach(null);
        assertStored(0, script);
    }

    private static void assertStored(int entries, String script) {
        BrowserPage page = open("storing", "<p id=\"count\"></p>", script);
        assertThat(page.page().locator("#count")).hasText(String.valueOf(entries));
    }

    @Test
    void shouldWriteScreenshotsOfOneSizeWhereAPropertySays() throws IOException {
        BrowserPage page = open("picture", "", "");
        page.screenshot("unwanted");
        System.setProperty(BrowserPage.SCREENSHOTS, directory.toString());
        try {
            page.screenshot("picture");
        } finally {
            System.clearProperty(BrowserPage.SCREENSHOTS);
        }
        assertThat(directory).isDirectoryNotContaining("glob:**/unwanted.png");
        var picture = ImageIO.read(directory.resolve("picture.png").toFile());
        assertThat(picture.getWidth()).isEqualTo(1280);
        assertThat(picture.getHeight()).isEqualTo(800);
    }

    private static BrowserPage open(String name, String main, String script) {
        return BROWSING.open(pages.addPage(name, main, script));
    }
}
