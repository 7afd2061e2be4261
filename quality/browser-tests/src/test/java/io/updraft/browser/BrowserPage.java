package io.updraft.browser;

import static org.junit.jupiter.api.Assertions.fail;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ScreenshotAnimations;
import com.microsoft.playwright.options.ScreenshotCaret;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A page in a tab of the browser, with the errors that it had so far. Opened by {@link Browsing}. */
final class BrowserPage {

    /** Names the directory for screenshots; without it there are none. */
    static final String SCREENSHOTS = "updraft.screenshots";

    private final Page page;
    private final List<String> errors = new ArrayList<>();

    BrowserPage(Page page) {
        this.page = page;
        page.onPageError(error -> errors.add("uncaught: " + error));
        page.onConsoleMessage(this::onConsole);
    }

    private void onConsole(ConsoleMessage message) {
        if (message.type().equals("error")) {
            errors.add("console: " + message.text() + " (" + message.location() + ")");
        }
    }

    /** {@return the page, for locators, clicks and assertions} */
    Page page() {
        return page;
    }

    /** Returns the errors so far and forgets them, for tests that provoke errors. */
    List<String> takeErrors() {
        if (!page.isClosed()) {
            page.evaluate("1"); // Its answer comes after all messages that the page has sent before.
        }
        List<String> taken = List.copyOf(errors);
        errors.clear();
        return taken;
    }

    /** Leaves the page, whose requests would fail when its server ends. */
    void leave() {
        page.navigate("about:blank");
    }

    /** Makes the page appear as for a user who prefers light or dark colours. */
    void prefer(ColorScheme colours) {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colours));
    }

    /** Fails if axe finds a violation of its rules in the page as it is now, and names the elements by their selectors. */
    void assertAccessible() {
        assertNoViolation(new AxeBuilder(page));
    }

    /** Fails if axe finds text that is hard to read: all that may differ between light and dark colours. */
    void assertContrast() {
        assertNoViolation(new AxeBuilder(page).withRules(List.of("color-contrast")));
    }

    private static void assertNoViolation(AxeBuilder axe) {
        List<Rule> violations = axe.analyze().getViolations();
        if (!violations.isEmpty()) {
            fail("axe: " + violations.stream().map(BrowserPage::describe).collect(Collectors.joining("\naxe: ")));
        }
    }

    private static String describe(Rule rule) {
        return rule.getId() + " (" + rule.getImpact() + "): " + rule.getHelp() + "\n  "
                + rule.getNodes().stream()
                        .map(node -> node.getTarget() + ": "
                                + node.getFailureSummary().replaceAll("\\s+", " "))
                        .collect(Collectors.joining("\n  "));
    }

    /** Does what starts a download, waits until it is complete, and returns the file, in a directory, under its proposed name. */
    Path download(Path directory, Runnable action) {
        Download download = page.waitForDownload(action);
        Path file = directory.resolve(download.suggestedFilename());
        download.saveAs(file);
        return file;
    }

    /** Writes a picture of the visible part of the page, without animation, if the property names a directory for pictures. */
    void screenshot(String name) {
        String directory = System.getProperty(SCREENSHOTS, "");
        if (!directory.isEmpty()) {
            page.screenshot(new Page.ScreenshotOptions()
                    .setPath(Path.of(directory, name + ".png"))
                    .setAnimations(ScreenshotAnimations.DISABLED)
                    .setCaret(ScreenshotCaret.HIDE));
        }
    }
}
