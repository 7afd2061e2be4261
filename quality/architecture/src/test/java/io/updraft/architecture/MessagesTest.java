package io.updraft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Checks that messages of exceptions and logs begin in lower case, unless with a name, and end without a full stop. */
final class MessagesTest {

    private static final Pattern SENTENCE = Pattern.compile("(?:[A-Z][a-z]+|A) (?s:.*)");
    private static final Pattern NAME = Pattern.compile(
            "(?:Nimbus|Kafka|Zstandard|ZooKeeper|Storm|Parquet|Flight|Updraft|Redis|UCX)\\b.*", Pattern.DOTALL);

    /** Messages with the words of Storm, for which its users search their logs. */
    private static final Pattern WORDS_OF_STORM =
            Pattern.compile(".*/(?:DebugLogWatcher|ClusterStatePoller|SupervisedWorker|LocalCluster|TestWait)\\.java");

    @Test
    void shouldBeginInLowerCaseAndEndWithoutAFullStop() throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<String> wrong = new ArrayList<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources()));
            for (var unit : task.parse()) {
                new MessageScanner(wrong).scan(unit, null);
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../.."))) {
            return files.filter(file -> file.toString().matches("(?!.*/target/).*/src/main/java/.*\\.java"))
                    .filter(file -> !WORDS_OF_STORM.matcher(file.toString()).matches())
                    .toList();
        }
    }

    private static final class MessageScanner extends TreeScanner<Void, Void> {

        private final List<String> wrong;

        MessageScanner(List<String> wrong) {
            this.wrong = wrong;
        }

        @Override
        public Void visitNewClass(NewClassTree type, Void nothing) {
            if (type.getIdentifier().toString().matches(".*(?:Exception|Error|Failed|Lost)")) {
                check(type.getArguments());
            }
            return super.visitNewClass(type, nothing);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void nothing) {
            if (call.getMethodSelect() instanceof MemberSelectTree method
                    && method.getExpression().toString().matches("LOG|log")) {
                check(call.getArguments());
            }
            return super.visitMethodInvocation(call, nothing);
        }

        private void check(List<? extends ExpressionTree> arguments) {
            if (arguments.isEmpty()) {
                return;
            }
            String first = literal(arguments.get(0), true);
            String last = literal(arguments.get(0), false);
            if (SENTENCE.matcher(first).matches() && !NAME.matcher(first).matches()
                    || last.endsWith(".") && !last.endsWith("..")) {
                wrong.add(arguments.get(0).toString());
            }
        }

        /** Returns the text with which the expression begins or ends; empty if that is no literal. */
        private static String literal(ExpressionTree expression, boolean first) {
            if (expression instanceof BinaryTree sum) {
                return literal(first ? sum.getLeftOperand() : sum.getRightOperand(), first);
            }
            return expression instanceof LiteralTree literal && literal.getValue() instanceof String text ? text : "";
        }
    }
}
