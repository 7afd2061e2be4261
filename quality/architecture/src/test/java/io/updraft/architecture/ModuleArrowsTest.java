package io.updraft.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the dependency arrows of docs/architecture.md on the compiled classes. */
final class ModuleArrowsTest {

    private static final String OURS = "io.updraft..";
    private static final String BASE = "io.updraft.base..";
    private static final String HTTP = "io.updraft.http..";
    private static final String ENGINE = "io.updraft.engine..";
    private static final String OBSERVE = "io.updraft.observe..";
    private static final String STORM = "io.updraft.storm..";
    private static final String FLUX = "io.updraft.flux..";
    private static final String TESTING = "io.updraft.testing..";
    private static final String STORM_LOCAL = "io.updraft.local..";
    private static final String REST = "io.updraft.rest..";
    private static final String CONSOLE = "io.updraft.console..";
    private static final String CLI = "io.updraft.cli..";
    private static final String CLUSTER = "io.updraft.cluster..";
    private static final String CODEC = "io.updraft.cluster.codec..";

    /** Workers that Updraft starts on this host: both sides, and what is between them. */
    private static final String LOCAL = "io.updraft.cluster.local";

    private static final String WORKER = "io.updraft.cluster.worker..";
    private static final String SUPERVISED = "io.updraft.cluster.supervised..";
    private static final String PLUGIN = "io.updraft.plugin..";
    private static final String LINK = "io.updraft.cluster.link..";
    private static final String BENCH = "io.updraft.bench..";
    private static final String BENCH_CLUSTER = "io.updraft.bench.cluster..";
    private static final String TRANSPORTS = "io.updraft.transport..";
    private static final String NETTY = "io.updraft.transport.netty..";
    private static final String UCX = "io.updraft.transport.ucx..";
    private static final String EXAMPLES = "io.updraft.examples..";
    private static final String MESSAGING = "io.updraft.messaging..";
    private static final String TIME_SERIES = "io.updraft.timeseries..";
    private static final String KAFKA = "io.updraft.kafka..";
    private static final String PIPELINE = "io.updraft.pipeline..";
    private static final String SERVERS = "io.updraft.servers..";
    private static final String STORM_CLUSTER = "io.updraft.stormcluster..";

    /** The contract of transports, and sessions, without the subpackages that are separate modules. */
    private static final String[] CONTRACT = {
        "io.updraft.transport", "io.updraft.transport.session..", "io.updraft.transport.security.."
    };

    private static final String ZEROMQ = "io.updraft.transport.zeromq..";
    private static final String AERON = "io.updraft.transport.aeron..";

    /** The packages that must have classes. A rule about a renamed package would otherwise pass without checking any class. */
    private static final List<String> MODULES = List.of(
            BASE,
            HTTP,
            ENGINE,
            OBSERVE,
            STORM,
            FLUX,
            TESTING,
            STORM_LOCAL,
            REST,
            CONSOLE,
            CLUSTER,
            SUPERVISED,
            PLUGIN,
            BENCH,
            EXAMPLES,
            NETTY,
            ZEROMQ,
            AERON,
            UCX,
            MESSAGING,
            TIME_SERIES,
            KAFKA,
            PIPELINE,
            SERVERS,
            STORM_CLUSTER,
            BENCH_CLUSTER);

    /** The engine's packages that other modules may use; its other packages are internal. */
    private static final String[] ENGINE_API = {
        "io.updraft.engine.api", "io.updraft.engine.run", "io.updraft.engine.snapshot", "io.updraft.engine.plan"
    };

    /** The only class of the engine that may write to a file: dead letters must outlive the process. */
    private static final DescribedPredicate<JavaClass> DEAD_LETTER_FILE =
            resideInAPackage(ENGINE).and(nameMatching(".*\\.DeadLetterFile(\\$.*)?"));

    /** The main class of a worker, which may print: a user who starts it by hand sees only its standard error. */
    private static final DescribedPredicate<JavaClass> WORKER_MAIN =
            resideInAPackage(CLUSTER).and(nameMatching(".*\\.WorkerMain"));

    /** The program that the scripts of examples/storm-cluster run; it prints to the user. */
    private static final DescribedPredicate<JavaClass> CLUSTER_MAIN =
            resideInAPackage(STORM_CLUSTER).and(nameMatching(".*\\.ClusterMain"));

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

    /** Classes of ours in Storm's packages, identified by their location. */
    private static final JavaClasses UNDER_STORMS_NAMES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .withImportOption(location -> location.contains("storm/local/"))
            .importPackages("org.apache.storm");

    /** What else of ours each package may use, besides the base. */
    private static Stream<Arguments> arrows() {
        return Stream.of(
                arrow(ENGINE),
                arrow(OBSERVE, ENGINE_API),
                arrow(STORM, HTTP, ENGINE),
                arrow(FLUX, STORM),
                arrow(TESTING, ENGINE_API, STORM),
                arrow(CLUSTER, CONTRACT, STORM, OBSERVE, ENGINE),
                arrow(CODEC, ENGINE),
                arrow(LINK, CONTRACT, CODEC, ENGINE),
                // Storm loads the plugin in the class loader of topologies, so its dependencies could conflict with
                // theirs.
                arrow(PLUGIN),
                // The bench's topologies also run in Storm's workers, which have no other class of Updraft.
                arrow("io.updraft.bench.topology..", "io.updraft.bench.spec.."),
                arrow("io.updraft.transport", CONTRACT),
                arrow("io.updraft.transport.session..", CONTRACT),
                arrow("io.updraft.transport.security..", CONTRACT),
                arrow(NETTY, CONTRACT),
                arrow(UCX, CONTRACT),
                arrow(ZEROMQ, CONTRACT),
                arrow(AERON, CONTRACT),
                arrow(MESSAGING, CONTRACT),
                arrow(TIME_SERIES),
                arrow(KAFKA),
                arrow(PIPELINE, ENGINE_API, HTTP, TIME_SERIES, KAFKA, STORM, OBSERVE),
                // Pipelines and workers are seen through what they hand to observe.
                arrow(CONSOLE, ENGINE_API, HTTP, OBSERVE, STORM, REST),
                arrow(STORM_CLUSTER),
                arrow(SERVERS),
                arrow(BENCH_CLUSTER, STORM_CLUSTER, "io.updraft.bench.workers", "io.updraft.bench.topology.."));
    }

    private static Arguments arrow(String from, String... to) {
        return arrow(from, to, new String[0]);
    }

    private static Arguments arrow(String from, String[] to, String... more) {
        return arguments(
                from,
                Stream.of(Stream.of(from), Stream.of(to), Stream.of(more))
                        .flatMap(each -> each)
                        .toArray(String[]::new));
    }

    @ParameterizedTest
    @MethodSource("arrows")
    void packagesShouldDependOnNothingElseOfOurs(String module, String[] allowed) {
        refuse(resideInAPackage(module), ours().and(resideOutsideOfPackages(allowed)));
    }

    /** Who may use each package, besides itself. A Nimbus is all that the REST API needs, so any HTTP server may serve it. */
    private static Stream<Arguments> users() {
        return Stream.of(
                arrow(TESTING),
                arrow(REST, CONSOLE, CLI),
                arrow(SUPERVISED),
                arrow(STORM_CLUSTER, BENCH_CLUSTER),
                arrow(SERVERS, "io.updraft.bench.aggregate.."),
                // The command line does not ship this module, which runs where only the bench's classes are available.
                arrow(BENCH_CLUSTER));
    }

    @ParameterizedTest
    @MethodSource("users")
    void packagesShouldBeUsedByNobodyElse(String module, String[] users) {
        refuse(resideOutsideOfPackages(users), resideInAPackage(module));
    }

    /** Packages that may use only what is named, of ours and of others. */
    private static Stream<Arguments> closed() {
        return Stream.of(
                arrow(BASE, "java..", "org.slf4j.."),
                arrow(HTTP, BASE, "io.netty..", "java..", "javax.net..", "org.slf4j.."),
                arrow(REST, BASE, "org.apache.storm..", "org.slf4j..", "java.."),
                arrow(EXAMPLES, "org.apache.storm..", "java.."));
    }

    @ParameterizedTest
    @MethodSource("closed")
    void packagesShouldDependOnNothingElseAtAll(String module, String[] allowed) {
        check(classes()
                .that()
                .resideInAPackage(module)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed));
    }

    /** Libraries of transports, and the modules that alone know them. */
    private static Stream<Arguments> libraries() {
        return Stream.of(
                arrow(UCX, "org.openucx.."),
                arrow(ZEROMQ, "org.zeromq..", "zmq.."),
                arrow(AERON, "io.aeron..", "org.agrona.."));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void transportsShouldAloneKnowTheirLibraries(String module, String[] moduleAndLibrary) {
        refuse(
                resideOutsideOfPackages(module),
                resideInAnyPackage(moduleAndLibrary).and(resideOutsideOfPackages(module)));
    }

    @Test
    void nettyShouldBeKnownToItsTransportTheHttpServerAndTheHttpSourceOnly() {
        refuse(resideOutsideOfPackages(NETTY, HTTP, "io.updraft.pipeline.source.http"), resideInAPackage("io.netty.."));
    }

    @Test
    void engineShouldKnowNoNetworkAndNoFilesButTheDeadLetterFile() {
        refuse(resideInAPackage(ENGINE), NETWORK);
        refuse(resideInAPackage(ENGINE).and(not(DEAD_LETTER_FILE)), FILES);
    }

    @Test
    void whatHasStormsNamesShouldDependOnStormCompatibilityAndWhatTheEngineShowsOnly() {
        assertThat(UNDER_STORMS_NAMES.contain("org.apache.storm.LocalCluster")).isTrue();
        for (JavaClasses each : List.of(UNDER_STORMS_NAMES, CLASSES)) {
            noClasses()
                    .that(resideInAnyPackage("org.apache.storm..", STORM_LOCAL))
                    .should()
                    .dependOnClassesThat(ours().and(resideOutsideOfPackages(STORM_LOCAL, STORM))
                            .and(resideOutsideOfPackages(ENGINE_API)))
                    .allowEmptyShould(true)
                    .check(each);
        }
        refuse(
                ours().and(resideOutsideOfPackages(STORM_LOCAL)),
                resideInAPackage(STORM_LOCAL)
                        .or(nameMatching("org\\.apache\\.storm\\.(LocalCluster|LocalDRPC|Testing)(\\$.*)?")));
    }

    @Test
    void restShouldKnowNothingOfTheNetworkButHowPathsAreEncoded() {
        refuse(resideInAPackage(REST), NETWORK.and(not(nameMatching("java\\.net\\.URLDecoder"))));
    }

    @Test
    void workersShouldNotKnowWhoHasStartedThem() {
        refuse(resideInAnyPackage(WORKER, LINK, CODEC), resideInAPackage(LOCAL).or(resideInAPackage(SUPERVISED)));
        refuse(resideInAPackage(LOCAL), resideInAPackage(SUPERVISED));
        refuse(resideInAPackage(SUPERVISED), resideInAPackage(LOCAL));
    }

    @Test
    void codecShouldKnowNoNetworkAndNoFiles() {
        refuse(resideInAPackage(CODEC), NETWORK.or(FILES));
    }

    @Test
    void benchShouldDependOnPublicPackagesOnly() {
        refuse(
                resideInAPackage(BENCH).and(resideOutsideOfPackages(BENCH_CLUSTER)),
                ours().and(resideOutsideOfPackages(BENCH, STORM, LOCAL, "io.updraft.transport"))
                        .and(resideOutsideOfPackages(ENGINE_API)));
    }

    @Test
    void messagingShouldReachTheNetworkThroughTransportsOnly() {
        refuse(
                resideInAPackage(MESSAGING),
                resideInAnyPackage("java.nio.channels..", "javax.net..", "io.netty..", "org.apache.storm.shade.."));
    }

    @Test
    void timeSeriesShouldKnowNoNetworkAndStormInItsBoltOnly() {
        refuse(resideInAPackage(TIME_SERIES), NETWORK);
        refuse(
                resideInAPackage(TIME_SERIES).and(resideOutsideOfPackages("io.updraft.timeseries.bolt..")),
                resideInAPackage("org.apache.storm.."));
    }

    @Test
    void packagesShouldBeFreeOfCycles() {
        check(slices().matching("io.updraft.(**)").should().beFreeOfCycles());
    }

    @Test
    void nobodyShouldUseJavaUtilLogging() {
        refuse(resideInAPackage(OURS), resideInAPackage("java.util.logging.."));
    }

    @Test
    void librariesShouldNotWriteToTheStandardStreams() {
        check(noClasses()
                .that(resideInAnyPackage(ENGINE, STORM, CLUSTER, TRANSPORTS, MESSAGING, STORM_CLUSTER)
                        .and(not(WORKER_MAIN.or(CLUSTER_MAIN))))
                .should(ACCESS_STANDARD_STREAMS));
    }

    @Test
    void rulesShouldSeeTheClassesOfEveryModule() {
        assertThat(MODULES)
                .allSatisfy(module -> assertThat(CLASSES)
                        .as(module)
                        .anyMatch(type -> resideInAPackage(module).test(type)));
    }

    /** The classes to which arrows are restricted. Every module may use the base. */
    private static DescribedPredicate<JavaClass> ours() {
        return resideInAPackage(OURS).and(resideOutsideOfPackages(BASE));
    }

    private static void refuse(DescribedPredicate<JavaClass> from, DescribedPredicate<? super JavaClass> to) {
        check(noClasses().that(from).should().dependOnClassesThat(to));
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}
