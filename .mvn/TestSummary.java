import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Prints a summary of the test reports of a checkout: the counts of each module, the ten slowest classes, why tests were
 * skipped, failed tests, and flaky tests (failed, then passed when run again). Reads Surefire's XML reports.
 *
 * <p>Arguments: the checkout; optionally the time at which the build began (ISO 8601), to leave out older reports; optionally a
 * directory, to which the reports of failed and flaky tests are copied. The build and {@code .ci/run} run it from source.
 */
final class TestSummary {

    private static final int SLOWEST = 10;
    private static final int MESSAGE = 300;
    private static final int STACK_LINES = 25;

    private TestSummary() {}

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]).toRealPath();
        Instant since = args.length > 1 && !args[1].isEmpty() ? Instant.parse(args[1]) : Instant.EPOCH;
        List<Report> reports = read(root, since);
        if (args.length > 2) {
            keep(reports, Path.of(args[2]));
        }
        print(root, reports);
    }

    /** A failed test: its message and stack, and whether it is flaky, that is, passed when run again. */
    private record Failure(String test, String message, String stack, boolean flaky) {}

    private record Report(
            Path file,
            String module,
            String name,
            int run,
            int failed,
            int skipped,
            double seconds,
            List<Failure> failures,
            List<String> skips) {}

    private static List<Report> read(Path root, Instant since) throws Exception {
        DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
        List<Path> files;
        try (Stream<Path> walk = Files.walk(root)) {
            files = walk.filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
                    .filter(file -> file.getParent().endsWith(Path.of("target", "surefire-reports")))
                    .filter(file -> !modified(file).isBefore(since))
                    .sorted()
                    .toList();
        }
        List<Report> reports = new ArrayList<>();
        for (Path file : files) {
            Path module = root.relativize(file.getParent().getParent().getParent());
            reports.add(report(file, module.toString(), parser.parse(file.toFile()).getDocumentElement()));
        }
        return reports;
    }

    private static Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Report report(Path file, String module, Element suite) {
        List<Failure> failures = new ArrayList<>();
        List<String> skips = new ArrayList<>();
        NodeList cases = suite.getElementsByTagName("testcase");
        for (int i = 0; i < cases.getLength(); i++) {
            failure((Element) cases.item(i)).ifPresent(failures::add);
            skip((Element) cases.item(i)).ifPresent(skips::add);
        }
        return new Report(
                file,
                module,
                suite.getAttribute("name"),
                number(suite, "tests"),
                number(suite, "failures") + number(suite, "errors"),
                number(suite, "skipped"),
                Double.parseDouble(suite.getAttribute("time").replace(",", "")),
                failures,
                skips);
    }

    private static int number(Element suite, String attribute) {
        return Integer.parseInt(suite.getAttribute(attribute));
    }

    /** Returns why a test was skipped. Of a failed assumption, the reason is in the first line of the stack only. */
    private static Optional<String> skip(Element test) {
        NodeList found = test.getElementsByTagName("skipped");
        if (found.getLength() == 0) {
            return Optional.empty();
        }
        Element skipped = (Element) found.item(0);
        String stack = skipped.getTextContent().lines().findFirst().orElse("");
        return Optional.of(Optional.of(skipped.getAttribute("message"))
                .filter(message -> !message.isBlank())
                .orElse(stack.replaceFirst("^[\\w.$]+: ", "")));
    }

    private static Optional<Failure> failure(Element test) {
        for (String kind : List.of("failure", "error", "flakyFailure", "flakyError")) {
            NodeList found = test.getElementsByTagName(kind);
            if (found.getLength() > 0) {
                Element first = (Element) found.item(0);
                String name = test.getAttribute("classname").replaceAll(".*\\.", "") + "." + test.getAttribute("name");
                String message = Optional.of(first.getAttribute("message"))
                        .filter(text -> !text.isBlank())
                        .orElse(first.getAttribute("type"))
                        .strip()
                        .replaceAll("\\s+", " ");
                return Optional.of(new Failure(name, message, stack(first), kind.startsWith("flaky")));
            }
        }
        return Optional.empty();
    }

    /** Returns the stack of a failure. A failed test has it as the element's text, a flaky test in an element of its own. */
    private static String stack(Element failure) {
        NodeList own = failure.getElementsByTagName("stackTrace");
        return (own.getLength() > 0 ? own.item(0) : failure).getTextContent().strip();
    }

    /** Copies the reports and the output of each class with a failed or flaky test. */
    private static void keep(List<Report> reports, Path directory) throws IOException {
        for (Report report : reports) {
            if (report.failures().isEmpty()) {
                continue;
            }
            Path target = Files.createDirectories(directory.resolve(report.module()));
            try (Stream<Path> files = Files.list(report.file().getParent())) {
                for (Path file : files.filter(file -> of(report, file)).toList()) {
                    Files.copy(file, target.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }

    private static boolean of(Report report, Path file) {
        String name = file.getFileName().toString();
        return name.equals(report.file().getFileName().toString()) || name.equals(report.name() + "-output.txt");
    }

    private static void print(Path root, List<Report> reports) {
        if (reports.isEmpty()) {
            System.out.println("Tests: none ran");
            return;
        }
        Map<String, List<Report>> modules =
                reports.stream().collect(Collectors.groupingBy(Report::module, TreeMap::new, Collectors.toList()));
        modules.forEach((module, its) -> System.out.printf(
                "%7.0f s  %-24s %s%n", its.stream().mapToDouble(Report::seconds).sum(), module, counts(its)));
        System.out.println("The slowest test classes:");
        reports.stream()
                .sorted(Comparator.comparingDouble(Report::seconds).reversed())
                .limit(SLOWEST)
                .forEach(report -> System.out.printf(
                        "%7.0f s  %-24s %s%n",
                        report.seconds(), report.module(), report.name().replaceAll(".*\\.", "")));
        skips(reports);
        failures(root, reports, false, "FAILED:");
        failures(
                root,
                reports,
                true,
                "FLAKY (failed, then passed when run again; the next change must fix the test or the defect):");
        System.out.println("Tests: " + counts(reports));
    }

    private static String counts(List<Report> reports) {
        return "%d run, %d failed, %d skipped"
                .formatted(sum(reports, Report::run), sum(reports, Report::failed), sum(reports, Report::skipped));
    }

    private static int sum(List<Report> reports, ToIntFunction<Report> part) {
        return reports.stream().mapToInt(part).sum();
    }

    private static void skips(List<Report> reports) {
        Map<String, Long> lines = reports.stream()
                .flatMap(report -> report.skips().stream().map(reason -> report.module() + ": " + cut(reason)))
                .collect(Collectors.groupingBy(line -> line, TreeMap::new, Collectors.counting()));
        if (!lines.isEmpty()) {
            System.out.println("SKIPPED:");
            lines.forEach((line, tests) -> System.out.printf("%7d    %s%n", tests, line));
        }
    }

    private static void failures(Path root, List<Report> reports, boolean flaky, String title) {
        List<String> lines = new ArrayList<>();
        for (Report report : reports) {
            for (Failure failure : report.failures()) {
                if (failure.flaky() == flaky) {
                    lines.add("    %s, %s: %s".formatted(report.module(), failure.test(), cut(failure.message())));
                    failure.stack()
                            .lines()
                            .map(String::strip)
                            .filter(line -> line.matches("(at |Caused by|Suppressed).*"))
                            .limit(STACK_LINES)
                            .forEach(line -> lines.add("        " + line));
                    lines.add("        in " + root.relativize(report.file()));
                }
            }
        }
        if (!lines.isEmpty()) {
            System.out.println(title);
            lines.forEach(System.out::println);
        }
    }

    private static String cut(String message) {
        return message.length() <= MESSAGE ? message : message.substring(0, MESSAGE) + "...";
    }
}
