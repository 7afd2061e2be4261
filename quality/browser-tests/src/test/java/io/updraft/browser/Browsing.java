package io.updraft.browser;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ReducedMotion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A headless browser for the tests of one class, as a static field with {@code RegisterExtension}. Each test has its own cookies
 * and storage. A test fails when a page throws an error that nothing catches, or writes an error to the console. Without a browser
 * the class is skipped; see {@link BrowserPrograms}. With {@code UPDRAFT_BROWSER=required}, as in CI, its tests fail.
 * {@code -Dupdraft.screenshots=}, an absolute directory, keeps the screenshots of tests that take some.
 */
final class Browsing implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

    private static final int WIDTH = 1280;
    private static final int HEIGHT = 800;
    private static final double LIMIT_MILLIS = 30_000;

    private final List<BrowserPage> pages = new ArrayList<>();
    private Playwright playwright;
    private Browser browser;
    private BrowserContext context;

    @Override
    public void beforeAll(ExtensionContext test) {
        BrowserPrograms programs = BrowserPrograms.ofSystem();
        programs.missing().ifPresent(missing -> {
            if (programs.areRequired()) {
                fail(missing);
            }
            abort(missing);
        });
        Map<String, String> environment = new HashMap<>(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
        programs.findNode().ifPresent(node -> environment.put("PLAYWRIGHT_NODEJS_PATH", node.toString()));
        PlaywrightAssertions.setDefaultAssertionTimeout(LIMIT_MILLIS);
        playwright = Playwright.create(new Playwright.CreateOptions().setEnv(environment));
        browser = playwright
                .chromium()
                .launch(new BrowserType.LaunchOptions()
                        .setExecutablePath(programs.findBrowser().orElseThrow())
                        // As root, Chromium refuses to start with its sandbox. It opens the tests' own pages only.
                        .setChromiumSandbox(false));
    }

    /** Opens an address in a new tab, in light colours, and waits until the page has loaded. */
    BrowserPage open(String address) {
        if (context == null) {
            context = browser.newContext(new Browser.NewContextOptions()
                    .setViewportSize(WIDTH, HEIGHT)
                    .setColorScheme(ColorScheme.LIGHT)
                    .setReducedMotion(ReducedMotion.REDUCE)
                    .setLocale("en-GB")
                    .setTimezoneId("UTC"));
            context.setDefaultTimeout(LIMIT_MILLIS);
        }
        Page tab = context.newPage();
        BrowserPage page = new BrowserPage(tab);
        pages.add(page);
        tab.navigate(address);
        return page;
    }

    /** Fails the test if one of its pages had an error that the test has not taken. */
    @Override
    public void afterEach(ExtensionContext test) {
        List<String> errors = new ArrayList<>();
        try {
            pages.forEach(page -> errors.addAll(page.takeErrors()));
        } finally {
            pages.clear();
            if (context != null) {
                context.close();
                context = null;
            }
        }
        if (!errors.isEmpty()) {
            fail("errors in the page:\n  " + String.join("\n  ", errors));
        }
    }

    @Override
    public void afterAll(ExtensionContext test) {
        if (playwright != null) {
            playwright.close(); // closes the browser as well
        }
    }
}
