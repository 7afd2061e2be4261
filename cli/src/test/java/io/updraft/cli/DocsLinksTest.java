package io.updraft.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.cli.Markdown.Piece;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every link in the documentation leads somewhere: to a file of this repository, and to a heading in it. */
@Tag("one-jdk")
class DocsLinksTest {
    private static final int MOST_README_LINES = 110;

    @Test
    void shouldLeadSomewhere() throws IOException {
        Map<Path, Set<String>> anchors = new HashMap<>();
        List<Markdown> pages = Markdown.pages();
        pages.forEach(page -> anchors.put(page.file(), page.anchors()));
        List<Piece> broken = new ArrayList<>();
        for (Markdown page : pages) {
            page.links().stream().filter(link -> isBroken(link, anchors)).forEach(broken::add);
        }
        assertThat(broken).isEmpty();
    }

    private static boolean isBroken(Piece link, Map<Path, Set<String>> anchors) {
        if (link.text().matches("(https?|mailto):.*")) {
            return false;
        }
        String[] parts = link.text().split("#", 2);
        Path target = parts[0].isEmpty()
                ? link.file()
                : link.file().getParent().resolve(parts[0]).normalize();
        if (!Files.exists(target)) {
            return true;
        }
        return parts.length == 2 && !anchors.getOrDefault(target, Set.of()).contains(parts[1]);
    }

    @Test
    void shouldHaveEveryPageInTheIndex() throws IOException {
        Path docs = Markdown.ROOT.resolve("docs");
        List<String> index = Markdown.pages().stream()
                .filter(page -> page.file().equals(docs.resolve("README.md")))
                .flatMap(page -> page.links().stream())
                .map(link -> link.text().replaceFirst("#.*", ""))
                .toList();
        assertThat(index)
                .containsAll(Markdown.pages().stream()
                        .map(Markdown::file)
                        .filter(file -> file.getParent().equals(docs) && !file.endsWith("README.md"))
                        .map(file -> file.getFileName().toString())
                        .toList());
    }

    @Test
    void shouldHaveAShortReadme() throws IOException {
        assertThat(Files.readAllLines(Markdown.ROOT.resolve("README.md"))).hasSizeLessThanOrEqualTo(MOST_README_LINES);
    }
}
