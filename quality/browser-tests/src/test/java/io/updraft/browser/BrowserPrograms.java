package io.updraft.browser;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the programs that tests in a browser need: Chromium, and Node, which runs Playwright.
 *
 * @param browser the wanted browser: a file, {@code required} for any, empty for any or none
 * @param folders where programs are, as in the variable {@code PATH}
 */
record BrowserPrograms(String browser, List<Path> folders) {

    private static final String REQUIRED = "required";
    private static final List<String> BROWSERS =
            List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\..*\\s*");
    private static final int NODE_AT_LEAST = 20;
    private static final String BUNDLED_NODE = "/META-INF/maven/com.microsoft.playwright/driver-bundle/pom.properties";

    /** {@return the programs of this system; the property {@code updraft.browser} comes before the variable UPDRAFT_BROWSER} */
    static BrowserPrograms ofSystem() {
        String browser = Objects.requireNonNullElse(System.getenv("UPDRAFT_BROWSER"), "");
        String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
        return new BrowserPrograms(
                System.getProperty("updraft.browser", browser),
                Stream.of(path.split(File.pathSeparator)).map(Path::of).toList());
    }

    /** {@return whether a missing program fails tests, instead of skipping them} */
    boolean areRequired() {
        return !browser.isEmpty();
    }

    /** {@return what is missing and how to get it, nothing if tests can run} */
    Optional<String> missing() {
        if (findBrowser().isEmpty()) {
            return Optional.of(
                    namesBrowser()
                            ? "UPDRAFT_BROWSER is no program: " + browser
                            : "no browser for these tests: install chromium, or set UPDRAFT_BROWSER to a Chromium");
        }
        if (findNode().isEmpty() && !hasBundledNode()) {
            return Optional.of("no Node " + NODE_AT_LEAST
                    + " or newer for these tests: install nodejs, or build with -Pbundled-node");
        }
        return Optional.empty();
    }

    Optional<Path> findBrowser() {
        return namesBrowser()
                ? Optional.of(Path.of(browser)).filter(BrowserPrograms::isProgram)
                : BROWSERS.stream().flatMap(this::find).findFirst();
    }

    /** {@return the first Node on the path, if it is new enough} */
    Optional<Path> findNode() {
        return find("node").findFirst().filter(node -> majorVersion(node) >= NODE_AT_LEAST);
    }

    static boolean hasBundledNode() {
        return BrowserPrograms.class.getResource(BUNDLED_NODE) != null;
    }

    private boolean namesBrowser() {
        return !browser.isEmpty() && !browser.equals(REQUIRED);
    }

    private Stream<Path> find(String program) {
        return folders.stream().map(folder -> folder.resolve(program)).filter(BrowserPrograms::isProgram);
    }

    private static boolean isProgram(Path file) {
        return Files.isRegularFile(file) && Files.isExecutable(file);
    }

    private static int majorVersion(Path node) {
        try {
            Process process = new ProcessBuilder(node.toString(), "--version")
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher version = NODE_VERSION.matcher(out);
            return version.matches() ? Integer.parseInt(version.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
