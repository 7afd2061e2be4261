package io.updraft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that the Javadoc of every public record documents every component, which the doclint of JDK 17 does not check. */
final class PublicRecordsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http",
                "engine",
                "storm/runtime",
                "transports/session",
                "transports/netty",
                "transports/zeromq",
                "transports/aeron",
                "transports/ucx",
                "cluster",
                "fixtures/storm-cluster",
                "fixtures/servers",
                "storm/messaging",
                "storm/cluster",
                "storm/rest"
            })
    void shouldDocumentEveryComponent(String module) throws IOException {
        assertThat(undocumentedComponents(sourcesOf(module))).isEmpty();
    }

    private static List<Path> sourcesOf(String module) throws IOException {
        Path root = Path.of("../..", module, "src", "main", "java");
        if (!Files.isDirectory(root)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static List<String> undocumentedComponents(List<Path> sources) throws IOException {
        List<String> undocumented = new ArrayList<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : sources.isEmpty() ? List.<CompilationUnitTree>of() : task.parse()) {
                new RecordScanner(docs, undocumented).scan(unit, null);
            }
        }
        return undocumented;
    }

    private static final class RecordScanner extends TreePathScanner<Void, Void> {

        private final DocTrees docs;
        private final List<String> undocumented;

        RecordScanner(DocTrees docs, List<String> undocumented) {
            this.docs = docs;
            this.undocumented = undocumented;
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (type.getKind() == Tree.Kind.RECORD
                    && type.getModifiers().getFlags().contains(Modifier.PUBLIC)) {
                check(type, docs.getDocComment(getCurrentPath()));
            }
            return super.visitClass(type, nothing);
        }

        private void check(ClassTree type, String comment) {
            for (Tree member : type.getMembers()) {
                // A record's only fields that are not static are its components.
                if (member instanceof VariableTree field
                        && !field.getModifiers().getFlags().contains(Modifier.STATIC)
                        && !explains(comment, field.getName().toString())) {
                    undocumented.add(type.getSimpleName() + "." + field.getName());
                }
            }
        }

        private static boolean explains(String comment, String component) {
            return comment != null
                    && Pattern.compile("@param\\s+" + component + "\\s+\\S")
                            .matcher(comment)
                            .find();
        }
    }
}
