package io.updraft.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A page of the documentation: its lines, links, anchors, and the code that it shows. */
final class Markdown {
    static final Path ROOT = Path.of(System.getProperty("user.dir")).getParent();

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern INLINE = Pattern.compile("(?<!`)(`+)(?!`)(.+?)(?<!`)\\1(?!`)");
    private static final Set<String> SHELL = Set.of("", "sh", "bash", "console");

    private final Path file;
    private final List<String> lines;

    private Markdown(Path file) throws IOException {
        this.file = file;
        this.lines = Files.readAllLines(file);
    }

    /** A piece of text and where it stands. */
    record Piece(Path file, int line, String text) {
        @Override
        public String toString() {
            return ROOT.relativize(file) + ":" + line + ": " + text;
        }
    }

    /** {@return all pages that users and developers read} */
    static List<Markdown> pages() throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> top = Files.list(ROOT);
                Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
                Stream<Path> examples = Files.walk(ROOT.resolve("examples"), 2)) {
            Stream.of(top, docs, examples)
                    .flatMap(each -> each)
                    .filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .forEach(files::add);
        }
        List<Markdown> pages = new ArrayList<>();
        for (Path path : files) {
            pages.add(new Markdown(path));
        }
        return pages;
    }

    Path file() {
        return file;
    }

    /** {@return the targets of all links, outside of code} */
    List<Piece> links() {
        List<Piece> links = new ArrayList<>();
        prose((line, text) -> {
            Matcher matcher = LINK.matcher(INLINE.matcher(text).replaceAll("code"));
            while (matcher.find()) {
                links.add(new Piece(file, line, matcher.group(1)));
            }
        });
        return links;
    }

    /** {@return all inline code} */
    List<Piece> inlineCode() {
        List<Piece> code = new ArrayList<>();
        prose((line, text) -> {
            Matcher matcher = INLINE.matcher(text);
            while (matcher.find()) {
                code.add(new Piece(file, line, matcher.group(2).strip()));
            }
        });
        return code;
    }

    /** {@return the lines of all shell blocks; a line that ends with a backslash is joined with the next one} */
    List<Piece> shellLines() {
        List<Piece> code = new ArrayList<>();
        StringBuilder joined = new StringBuilder();
        walk((line, text, language) -> {
            if (language == null || !SHELL.contains(language)) {
                return;
            }
            joined.append(text.strip());
            if (joined.length() > 0 && joined.charAt(joined.length() - 1) == '\\') {
                joined.setLength(joined.length() - 1);
                return;
            }
            code.add(new Piece(file, line, joined.toString()));
            joined.setLength(0);
        });
        return code;
    }

    /** {@return the anchors of the headings, as GitHub makes them} */
    Set<String> anchors() {
        Set<String> anchors = new HashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        prose((line, text) -> {
            if (text.matches("#{1,6} .*")) {
                String slug = text.replaceFirst("#+ ", "")
                        .replaceAll("\\[([^]]*)\\]\\([^)]*\\)", "$1")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                int times = seen.merge(slug, 1, Integer::sum);
                anchors.add(times == 1 ? slug : slug + "-" + (times - 1));
            }
        });
        return anchors;
    }

    /** {@return all text, code included} */
    String text() {
        return String.join("\n", lines);
    }

    private interface Prose {
        void line(int number, String text);
    }

    private interface Line {
        void line(int number, String text, String language);
    }

    private void prose(Prose prose) {
        walk((line, text, language) -> {
            if (language == null) {
                prose.line(line, text);
            }
        });
    }

    /** Calls with the language of a code block, which is empty for an indented block, and null outside of code. */
    private void walk(Line each) {
        String fence = null;
        boolean after = true;
        boolean list = false;
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i);
            if (text.strip().startsWith("```")) {
                fence = fence == null ? text.strip().substring(3) : null;
                continue;
            }
            list = text.isBlank() || text.startsWith(" ") ? list : text.matches("([-*]|\\d+\\.) .*");
            boolean indented = text.startsWith(list ? "      " : "    ") && after;
            each.line(i + 1, text, fence != null ? fence : indented ? "" : null);
            after = text.isBlank() || indented;
        }
    }
}
