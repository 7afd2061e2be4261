package io.updraft.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The arrows of docs/architecture.md, checked on the compiled classes.
 *
 * <pre>
 *   cli ──► bench ──► storm ──► engine ──► org.apache.storm
 *                                          examples ──► org.apache.storm
 *   transport.netty ──► transport
 *
 *   messaging ──► transport, org.apache.storm
 *   stormcluster ──► org.apache.storm (for tests only: nothing depends on it)
 * </pre>
 */
final class ModuleArrowsTest {

    private static final String OURS = "io.updraft..";
    private static final String ENGINE = "io.updraft.engine..";
    private static final String STORM = "io.updraft.storm..";
    private static final String BENCH = "io.updraft.bench..";
    private static final String TRANSPORT = "io.updraft.transport..";
    private static final String TRANSPORT_NETTY = "io.updraft.transport.netty..";
    private static final String EXAMPLES = "io.updraft.examples..";
    private static final String MESSAGING = "io.updraft.messaging..";
    private static final String CLUSTER = "io.updraft.stormcluster..";

    /** What the transport module shows: the contract and sessions. Each transport is a module of its own below it. */
    private static final String[] TRANSPORT_API = {
        "io.updraft.transport", "io.updraft.transport.session", "io.updraft.transport.security"
    };

    /** The modules that have code. Keeps a rule about a package that was renamed from passing for want of classes. */
    private static final List<String> MODULES =
            List.of(ENGINE, STORM, BENCH, EXAMPLES, TRANSPORT, TRANSPORT_NETTY, MESSAGING, CLUSTER);

    /** What the engine shows to the other modules; its other packages are its own business. */
    private static final String[] ENGINE_API = {
        "io.updraft.engine", "io.updraft.engine.api", "io.updraft.engine.metrics", "io.updraft.engine.plan"
    };

    /** The one class of the engine that may write to a file: what a topology gave up on must outlive the process. */
    private static final DescribedPredicate<JavaClass> DEAD_LETTER_FILE =
            resideInAPackage(ENGINE).and(nameMatching(".*\\.DeadLetterFile(\\$.*)?"));

    private static final DescribedPredicate<JavaClass> FILES = resideInAPackage("java.nio.file..")
            .or(nameMatching("java\\.io\\.(File.*|RandomAccessFile)"))
            .or(nameMatching("java\\.nio\\.channels\\..*File.*"))
            .as("files");

    private static final DescribedPredicate<JavaClass> NETWORK = resideInAnyPackage(
                    "java.net..",
                    "javax.net..",
                    "java.rmi..",
                    "com.sun.net..",
                    "..netty..",
                    "..jetty..",
                    "..zookeeper..")
            .or(resideInAnyPackage("org.apache.storm.messaging..", "org.apache.storm.cluster.."))
            .or(nameMatching("java\\.nio\\.channels\\..*(Socket|Datagram|Selector|Network).*"))
            .as("the network");

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.updraft");

    @Test
    void engineShouldDependOnNothingOfOurs() {
        check(noClasses()
                .that()
                .resideInAPackage(ENGINE)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(ENGINE))));
    }

    @Test
    void engineShouldKnowNoNetwork() {
        check(noClasses().that().resideInAPackage(ENGINE).should().dependOnClassesThat(NETWORK));
    }

    @Test
    void engineShouldKnowNoFilesButTheDeadLetterFile() {
        check(noClasses()
                .that(resideInAPackage(ENGINE).and(DescribedPredicate.not(DEAD_LETTER_FILE)))
                .should()
                .dependOnClassesThat(FILES));
    }

    @Test
    void stormCompatibilityShouldDependOnTheEngineOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(STORM)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(STORM, ENGINE))));
    }

    @Test
    void benchShouldDependOnStormCompatibilityAndTheEnginesPublicPackagesOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(BENCH)
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(BENCH, STORM)).and(resideOutsideOfPackages(ENGINE_API))));
    }

    @Test
    void examplesShouldDependOnStormOnly() {
        check(classes()
                .that()
                .resideInAPackage(EXAMPLES)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(EXAMPLES, "org.apache.storm..", "java.."));
    }

    @Test
    void messagingShouldDependOnTheContractOfTransportsOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(MESSAGING)
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(MESSAGING)).and(resideOutsideOfPackages(TRANSPORT_API))));
    }

    @Test
    void messagingShouldReachTheNetworkThroughTransportsOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(MESSAGING)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.nio.channels..", "javax.net..", "io.netty..", "org.apache.storm.shade.."));
    }

    @Test
    void theClusterForTestsShouldStandAlone() {
        check(noClasses()
                .that()
                .resideInAPackage(CLUSTER)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(CLUSTER))));
        check(noClasses()
                .that(ours().and(resideOutsideOfPackages(CLUSTER)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(CLUSTER));
    }

    @Test
    void transportsShouldDependOnNothingElseOfOurs() {
        check(noClasses()
                .that()
                .resideInAPackage(TRANSPORT)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(TRANSPORT))));
    }

    @Test
    void nobodyShouldKnowTheNettyTransportButItself() {
        check(noClasses()
                .that(ours().and(resideOutsideOfPackages(TRANSPORT_NETTY)))
                .should()
                .dependOnClassesThat(resideInAnyPackage(TRANSPORT_NETTY, "io.netty..")));
    }

    @Test
    void packagesShouldBeFreeOfCycles() {
        check(slices().assignedFrom(new Layers()).should().beFreeOfCycles());
    }

    @Test
    void nobodyShouldUseJavaUtilLogging() {
        check(noClasses()
                .that()
                .resideInAPackage(OURS)
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.logging.."));
    }

    @Test
    void librariesShouldNotWriteToTheStandardStreams() {
        check(noClasses()
                .that()
                .resideInAnyPackage(ENGINE, STORM, TRANSPORT, MESSAGING, CLUSTER)
                .should(ACCESS_STANDARD_STREAMS));
    }

    @Test
    void rulesShouldSeeTheClassesOfEveryModule() {
        assertThat(MODULES)
                .allSatisfy(module -> assertThat(CLASSES)
                        .as(module)
                        .anyMatch(type -> resideInAPackage(module).test(type)));
    }

    private static DescribedPredicate<JavaClass> ours() {
        return resideInAPackage(OURS);
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }

    /**
     * Every package is a layer, but in the engine's front package every type is one: it holds the engine itself, which
     * knows all the layers below, beside small types that those layers share with the caller.
     */
    private static final class Layers implements SliceAssignment {

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            if (!resideInAPackage(OURS).test(type)) {
                return SliceIdentifier.ignore();
            }
            return type.getPackageName().equals("io.updraft.engine")
                    ? SliceIdentifier.of(outermost(type).getName())
                    : SliceIdentifier.of(type.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages of Updraft";
        }

        private static JavaClass outermost(JavaClass type) {
            return type.getEnclosingClass().map(Layers::outermost).orElse(type);
        }
    }
}
