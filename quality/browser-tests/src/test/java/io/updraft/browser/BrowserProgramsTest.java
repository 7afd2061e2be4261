package io.updraft.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BrowserProgramsTest {

    @TempDir
    Path folder;

    @Test
    void shouldTakeTheNamedBrowserBeforeOneOnThePath() throws IOException {
        Path named = program("mine", "");
        program("chromium", "");
        assertThat(with(named.toString()).findBrowser()).contains(named);
        assertThat(with(named.toString()).areRequired()).isTrue();
    }

    @Test
    void shouldFindABrowserOnThePath() throws IOException {
        Files.createFile(folder.resolve("chromium")); // not executable
        Path chrome = program("google-chrome", "");
        assertThat(with("").findBrowser()).contains(chrome);
        assertThat(with("required").findBrowser()).contains(chrome);
    }

    @Test
    void shouldSayThatThereIsNoBrowser() {
        assertThat(with("").missing()).get().asString().startsWith("no browser for these tests: install chromium");
        assertThat(with("required").missing()).isEqualTo(with("").missing());
    }

    @Test
    void shouldSkipTestsUnlessABrowserIsRequired() {
        assertThat(with("").areRequired()).isFalse();
        assertThat(with("required").areRequired()).isTrue();
    }

    @Test
    void shouldSayThatTheNamedBrowserIsMissing() {
        String missing = folder.resolve("missing").toString();
        assertThat(with(missing).missing()).contains("UPDRAFT_BROWSER is no program: " + missing);
    }

    @Test
    void shouldRefuseAnOldNode() throws IOException {
        program("node", "echo v18.20.4");
        assertThat(with("").findNode()).isEmpty();
    }

    @Test
    void shouldTakeANewNode() throws IOException {
        Path node = program("node", "echo v20.1.0");
        assertThat(with("").findNode()).contains(node);
    }

    @Test
    void shouldSayThatThereIsNoNode() throws IOException {
        assumeThat(BrowserPrograms.hasBundledNode()).isFalse();
        program("chromium", "");
        program("node", "exit 1");
        assertThat(with("").missing()).get().asString().startsWith("no Node 20 or newer for these tests");
    }

    private BrowserPrograms with(String browser) {
        return new BrowserPrograms(browser, List.of(folder));
    }

    private Path program(String name, String script) throws IOException {
        Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }
}
