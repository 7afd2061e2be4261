package io.updraft.architecture;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the Java sources of a checkout: files and lines of each module, the largest files and packages, packages that use each
 * other, and simple names that stand for several types. {@code quality/tree} prints the report; {@code SourceTreeTest} holds it
 * against limits. Uses the JDK only, so that the command needs no build.
 */
final class SourceTree {

    private static final String MAIN = "src/main/java";
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([a-z][\\w.]*)\\.([A-Z]\\w*)");
    private static final Pattern OPEN = Pattern.compile(
            "(?m)^public (?:(?:abstract|final|sealed|non-sealed) )*(?:class|interface|record|enum|@interface) ");

    private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|//[^\\n]*");

    private final List<Source> sources;

    /**
     * A source file.
     *
     * @param path the file, from the root of the checkout
     * @param module the folder of its module, from the root
     * @param ships whether an installation or a published artifact has the module
     * @param main whether it is neither a test nor a benchmark or stress test of {@code quality}
     * @param packageName the name of its package
     * @param lines the number of its lines
     * @param open whether other packages see its type
     * @param code the number of its lines that are neither blank nor comment alone
     * @param imports the types that its code uses by an import, as {@code package.Name}
     */
    record Source(
            Path path,
            String module,
            boolean ships,
            boolean main,
            String packageName,
            int lines,
            boolean open,
            int code,
            Set<String> imports) {

        String name() {
            return path.getFileName().toString().replace(".java", "");
        }

        boolean isType() {
            return !name().equals("package-info");
        }
    }

    private SourceTree(List<Source> sources) {
        this.sources = sources;
    }

    /** Prints the report of the checkout that the first argument names; the default is the working directory. */
    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments.length == 0 ? "." : arguments[0]);
        if (!Files.exists(root.resolve("pom.xml"))) {
            System.err.println(
                    "quality/tree: " + root.toAbsolutePath().normalize() + " has no pom.xml: name a checkout");
            System.exit(2);
        }
        read(root).print(System.out);
    }

    /** Reads all Java sources below a folder, without those that a build generates. */
    static SourceTree read(Path root) throws IOException {
        Map<Path, Boolean> modules = new HashMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            List<Source> sources = files.filter(file -> file.toString().endsWith(".java"))
                    .map(root::relativize)
                    .filter(file -> Stream.of("target", ".mvn").noneMatch(each -> has(file, each)))
                    .sorted()
                    .flatMap(file -> source(root, file, modules).stream())
                    .toList();
            return new SourceTree(sources);
        }
    }

    private static boolean has(Path file, String folder) {
        for (Path part : file) {
            if (part.toString().equals(folder)) {
                return true;
            }
        }
        return false;
    }

    private static List<Source> source(Path root, Path file, Map<Path, Boolean> modules) {
        Path module = file.getParent();
        while (module != null && !Files.exists(root.resolve(module).resolve("pom.xml"))) {
            module = module.getParent();
        }
        if (module == null) {
            return List.of();
        }
        try {
            String text = Files.readString(root.resolve(file));
            String code = COMMENT.matcher(text).replaceAll("");
            Matcher declared = PACKAGE.matcher(text);
            String packageName = declared.find() ? declared.group(1) : "";
            boolean ships = modules.computeIfAbsent(root.resolve(module), SourceTree::ships);
            boolean main =
                    module.relativize(file).startsWith(MAIN) && !has(module, "jcstress") && !has(module, "microbench");
            return List.of(new Source(
                    file,
                    module.toString(),
                    ships,
                    main,
                    packageName,
                    (int) text.lines().count(),
                    OPEN.matcher(code).find(),
                    (int) code.lines().filter(line -> !line.isBlank()).count(),
                    imports(code)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean ships(Path module) {
        try {
            return !Files.readString(module.resolve("pom.xml")).contains("<updraft.private>true<");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> imports(String code) {
        Set<String> imports = new TreeSet<>();
        String body = code.replaceAll("(?m)^import .*$", "");
        for (Matcher line = IMPORT.matcher(code); line.find(); ) {
            boolean isStatic = code.startsWith("import static", line.start());
            if (isStatic
                    || Pattern.compile("\\b" + line.group(2) + "\\b")
                            .matcher(body)
                            .find()) {
                imports.add(line.group(1) + "." + line.group(2));
            }
        }
        return imports;
    }

    /** All source files. */
    List<Source> sources() {
        return sources;
    }

    /** The types of the product and of the programs around it, without tests, stress tests and microbenchmarks. */
    List<Source> mainTypes() {
        return sources.stream().filter(Source::main).filter(Source::isType).toList();
    }

    /** For each package of main sources, its types. */
    Map<String, List<Source>> packages() {
        return mainTypes().stream()
                .collect(Collectors.groupingBy(Source::packageName, TreeMap::new, Collectors.toList()));
    }

    /** For each simple name that several files of a module have, tests included, these files. */
    Map<String, List<Path>> repeatedNames() {
        Map<String, List<Path>> names = sources.stream()
                .filter(Source::isType)
                .collect(Collectors.groupingBy(
                        source -> source.module() + ": " + source.name(),
                        TreeMap::new,
                        Collectors.mapping(Source::path, Collectors.toList())));
        names.values().removeIf(files -> files.size() == 1);
        return names;
    }

    /** The sets of packages that use each other, directly or through others of the set. Empty if no arrow runs backward. */
    List<Set<String>> cycles() {
        Map<String, Set<String>> arrows = new TreeMap<>();
        Set<String> types = mainTypes().stream()
                .map(source -> source.packageName() + "." + source.name())
                .collect(Collectors.toSet());
        for (Source source : mainTypes()) {
            for (String used : source.imports()) {
                String to = used.substring(0, used.lastIndexOf('.'));
                if (types.contains(used) && !to.equals(source.packageName())) {
                    arrows.computeIfAbsent(source.packageName(), key -> new TreeSet<>())
                            .add(to);
                }
            }
        }
        return new Cycles(arrows).find();
    }

    private void print(PrintStream out) {
        List<Source> ships = mainTypes().stream().filter(Source::ships).toList();
        out.printf("%-26s %6s %7s %7s %6s %7s%n", "module", "files", "lines", "code", "tests", "lines");
        Map<String, List<Source>> modules =
                sources.stream().collect(Collectors.groupingBy(Source::module, TreeMap::new, Collectors.toList()));
        modules.forEach((module, files) -> printRow(out, files.get(0).ships() ? module : module + " *", files));
        printRow(out, "all", sources);
        printRow(
                out,
                "what ships (without *)",
                sources.stream().filter(Source::ships).toList());
        out.println();
        printLargest(
                out,
                "largest files that ship, lines",
                ships,
                Source::lines,
                source -> source.path().toString());
        printLargest(
                out,
                "largest packages, files",
                packages().entrySet(),
                entry -> entry.getValue().size(),
                Map.Entry::getKey);
        out.println("files of more than 600 lines: "
                + mainTypes().stream().filter(source -> source.lines() > 600).count());
        out.println("public types by module: "
                + mainTypes().stream()
                        .filter(Source::open)
                        .collect(Collectors.groupingBy(Source::module, TreeMap::new, Collectors.counting())));
        out.println("packages in cycles (arrows that run backward): " + cycles());
        out.println(
                "simple names of several files of a module: " + repeatedNames().keySet());
    }

    private static void printRow(PrintStream out, String name, List<Source> files) {
        List<Source> main = files.stream().filter(Source::main).toList();
        List<Source> tests = files.stream().filter(source -> !source.main()).toList();
        out.printf(
                "%-26s %6d %7d %7d %6d %7d%n",
                name,
                main.size(),
                main.stream().mapToInt(Source::lines).sum(),
                main.stream().mapToInt(Source::code).sum(),
                tests.size(),
                tests.stream().mapToInt(Source::lines).sum());
    }

    private static <T> void printLargest(
            PrintStream out, String title, Collection<T> all, Function<T, Integer> size, Function<T, String> name) {
        out.println(title + ":");
        all.stream()
                .sorted(Comparator.comparing(size).reversed())
                .limit(5)
                .forEach(each -> out.printf("  %5d  %s%n", size.apply(each), name.apply(each)));
    }

    /** Finds the strongly connected components of more than one node, by Tarjan's algorithm (1972). */
    private static final class Cycles {

        private final Map<String, Set<String>> arrows;
        private final Map<String, Integer> index = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<Set<String>> found = new ArrayList<>();

        Cycles(Map<String, Set<String>> arrows) {
            this.arrows = arrows;
        }

        List<Set<String>> find() {
            for (String node : arrows.keySet()) {
                if (!index.containsKey(node)) {
                    visit(node);
                }
            }
            return found;
        }

        private void visit(String node) {
            index.put(node, index.size());
            lowest.put(node, index.get(node));
            open.push(node);
            for (String next : arrows.getOrDefault(node, Set.of())) {
                if (!index.containsKey(next)) {
                    visit(next);
                    lowest.merge(node, lowest.get(next), Math::min);
                } else if (open.contains(next)) {
                    lowest.merge(node, index.get(next), Math::min);
                }
            }
            if (lowest.get(node).equals(index.get(node))) {
                close(node);
            }
        }

        private void close(String node) {
            Set<String> component = new TreeSet<>();
            String last;
            do {
                last = open.pop();
                component.add(last);
            } while (!last.equals(node));
            if (component.size() > 1) {
                found.add(component);
            }
        }
    }
}
