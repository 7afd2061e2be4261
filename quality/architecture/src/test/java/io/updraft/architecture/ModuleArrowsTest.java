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
 * Checks the dependency arrows of docs/architecture.md on the compiled classes.
 *
 * <pre>
 *   all ──► base ──► the JDK, SLF4J
 *   cli ──► console ──► observe, storm, rest
 *   cli ──► bench ──► storm ──► engine ──► org.apache.storm
 *           bench ──► cluster.coordinator, transport (to start workers, and to list the transports)
 *   cli ──► cluster ──► storm, observe, engine, transport
 *   cli, console, cluster, pipeline ──► observe ──► what engine shows
 *   plugin ──► nothing of ours: it loads cluster.supervised by name (no other package depends on it)
 *                                          examples ──► org.apache.storm
 *   cli ──► pipeline ──► storm, timeseries, kafka, observe
 *   cli ──► flux ──► storm
 *   local, and its classes under Storm's names ──► storm, engine (for users' programs and tests; no package depends on it)
 *   testing ──► storm, engine (for users' tests)
 *   cli, console ──► rest ──► org.apache.storm
 *   timeseries.bolt, kafka ──► org.apache.storm
 *   transport.netty, transport.zeromq, transport.aeron, transport.ucx ──► transport
 *
 *   messaging ──► transport, org.apache.storm
 *   stormcluster ──► org.apache.storm (for tests and the bench's Storm cluster only)
 *   servers ──► nothing of ours (for tests and bench.aggregate only)
 *   bench.cluster ──► bench.workers, bench.topology, stormcluster (found by name: no other package depends on it)
 * </pre>
 */
final class ModuleArrowsTest {

    private static final String OURS = "io.updraft..";
    private static final String BASE = "io.updraft.base..";
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
    private static final String COORDINATOR = "io.updraft.cluster.coordinator";
    private static final String PROCESS = "io.updraft.cluster.process";

    /** Workers that Updraft starts on this host: both sides, and what is between them. */
    private static final String[] LOCAL = {
        COORDINATOR, PROCESS, "io.updraft.cluster.control", "io.updraft.cluster.local"
    };

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
        "io.updraft.engine",
        "io.updraft.engine.api",
        "io.updraft.engine.memory",
        "io.updraft.engine.metrics",
        "io.updraft.engine.plan"
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

    @Test
    void baseShouldDependOnTheJdkAndSlf4jOnly() {
        check(classes()
                .that()
                .resideInAPackage(BASE)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(BASE, "java..", "org.slf4j.."));
    }

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
    void observeShouldDependOnWhatTheEngineShowsOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(OBSERVE)
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(OBSERVE)).and(resideOutsideOfPackages(ENGINE_API))));
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
    void fluxShouldDependOnStormCompatibilityOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(FLUX)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(FLUX, STORM))));
    }

    @Test
    void testingShouldDependOnStormCompatibilityAndWhatTheEngineShowsOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(TESTING)
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(TESTING, STORM)).and(resideOutsideOfPackages(ENGINE_API))));
        check(noClasses()
                .that()
                .resideOutsideOfPackages(TESTING)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TESTING));
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
        check(noClasses()
                .that(ours().and(resideOutsideOfPackages(STORM_LOCAL)))
                .should()
                .dependOnClassesThat(resideInAPackage(STORM_LOCAL)
                        .or(nameMatching("org\\.apache\\.storm\\.(LocalCluster|LocalDRPC|Testing)(\\$.*)?"))));
    }

    /** A Nimbus is all that the REST API needs, so it serves Storm's Nimbus as well as ours, from any HTTP server. */
    @Test
    void restShouldDependOnStormOnlyAndBeUsedByTheConsoleAndTheCommandLineOnly() {
        check(classes()
                .that()
                .resideInAPackage(REST)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(REST, BASE, "org.apache.storm..", "org.slf4j..", "java.."));
        // Paths of requests are percent-encoded.
        check(noClasses()
                .that()
                .resideInAPackage(REST)
                .should()
                .dependOnClassesThat(NETWORK.and(DescribedPredicate.not(nameMatching("java\\.net\\.URLDecoder")))));
        check(noClasses()
                .that(ours().and(resideOutsideOfPackages(REST, CONSOLE, CLI)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(REST));
    }

    /** Pipelines and workers are seen through what they hand to observe. */
    @Test
    void consoleShouldDependOnWhatIsObservedStormCompatibilityAndItsRestApiOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(CONSOLE)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(CONSOLE, OBSERVE, STORM, REST))
                        .and(resideOutsideOfPackages(ENGINE_API))));
    }

    @Test
    void clusterShouldDependOnStormCompatibilityTheEngineAndTransportsOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(CLUSTER)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(CLUSTER, STORM, OBSERVE, ENGINE))
                        .and(resideOutsideOfPackages(CONTRACT))));
    }

    @Test
    void codecShouldDependOnTheEngineOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(CODEC)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(CODEC, ENGINE))));
    }

    @Test
    void workersShouldNotKnowWhoHasStartedThem() {
        check(noClasses()
                .that()
                .resideInAnyPackage(WORKER, LINK, CODEC)
                .should()
                .dependOnClassesThat(resideInAnyPackage(LOCAL).or(resideInAPackage(SUPERVISED))));
        check(noClasses().that().resideInAnyPackage(LOCAL).should().dependOnClassesThat(resideInAPackage(SUPERVISED)));
        check(noClasses().that().resideInAPackage(SUPERVISED).should().dependOnClassesThat(resideInAnyPackage(LOCAL)));
        check(noClasses()
                .that()
                .resideOutsideOfPackage(SUPERVISED)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SUPERVISED));
    }

    /** Storm loads the plugin in the same class loader as topologies, so its dependencies could conflict with theirs. */
    @Test
    void pluginShouldDependOnNothingOfOurs() {
        check(noClasses()
                .that()
                .resideInAPackage(PLUGIN)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(PLUGIN))));
    }

    @Test
    void linkShouldKnowNothingOfProcesses() {
        check(noClasses()
                .that()
                .resideInAPackage(LINK)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(LINK, CODEC, ENGINE))
                        .and(resideOutsideOfPackages(CONTRACT))));
    }

    @Test
    void codecShouldKnowNoNetworkAndNoFiles() {
        check(noClasses().that().resideInAPackage(CODEC).should().dependOnClassesThat(NETWORK.or(FILES)));
    }

    @Test
    void benchShouldDependOnPublicPackagesOnly() {
        check(noClasses()
                .that(resideInAPackage(BENCH).and(resideOutsideOfPackages(BENCH_CLUSTER)))
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(BENCH, STORM, COORDINATOR, PROCESS, "io.updraft.transport"))
                                .and(resideOutsideOfPackages(ENGINE_API))));
    }

    /** The bench's topologies also run in Storm's workers, which have no other class of Updraft. */
    @Test
    void benchTopologiesShouldDependOnNothingOfOursButTheWordsOfRuns() {
        check(noClasses()
                .that()
                .resideInAPackage("io.updraft.bench.topology..")
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages("io.updraft.bench.topology..", "io.updraft.bench.spec.."))));
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
    void transportShouldDependOnNothingOfOurs() {
        check(noClasses()
                .that()
                .resideInAnyPackage(CONTRACT)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(CONTRACT))));
    }

    @Test
    void nettyShouldDependOnTheTransportContractOnlyAndAloneKnowItsLibrary() {
        checkTransport(NETTY);
        // The HTTP servers also use Netty: a source of pipelines, DRPC, and the pages of a run.
        check(noClasses()
                .that(resideOutsideOfPackages(NETTY, "io.updraft.pipeline.source.http", "io.updraft.console.http"))
                .and(DescribedPredicate.not(nameMatching("io\\.updraft\\.storm\\.drpc\\.DrpcHttp.*")))
                .should()
                .dependOnClassesThat(resideInAPackage("io.netty..")));
    }

    @Test
    void ucxShouldDependOnTheTransportContractOnlyAndAloneKnowItsLibrary() {
        checkTransport(UCX, "org.openucx..");
    }

    @Test
    void zeroMqShouldDependOnTheTransportContractOnlyAndAloneKnowItsLibrary() {
        checkTransport(ZEROMQ, "org.zeromq..", "zmq..");
    }

    @Test
    void aeronShouldDependOnTheTransportContractOnlyAndAloneKnowItsLibrary() {
        checkTransport(AERON, "io.aeron..", "org.agrona..");
    }

    private static void checkTransport(String module, String... library) {
        check(noClasses()
                .that()
                .resideInAPackage(module)
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(CONTRACT)).and(resideOutsideOfPackages(module))));
        check(noClasses()
                .that()
                .resideOutsideOfPackage(module)
                .should()
                .dependOnClassesThat(resideInAnyPackage(library)));
    }

    @Test
    void messagingShouldDependOnTheContractOfTransportsOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(MESSAGING)
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(MESSAGING)).and(resideOutsideOfPackages(CONTRACT))));
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
    void timeSeriesShouldDependOnNothingOfOursAndKnowNoNetwork() {
        check(noClasses()
                .that()
                .resideInAPackage(TIME_SERIES)
                .should()
                .dependOnClassesThat(
                        ours().and(resideOutsideOfPackages(TIME_SERIES)).or(NETWORK)));
        check(noClasses()
                .that(resideInAPackage(TIME_SERIES).and(resideOutsideOfPackages("io.updraft.timeseries.bolt..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.apache.storm.."));
    }

    @Test
    void kafkaShouldDependOnNothingOfOurs() {
        check(noClasses()
                .that()
                .resideInAPackage(KAFKA)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(KAFKA))));
    }

    @Test
    void pipelinesShouldDependOnStormCompatibilityTimeSeriesKafkaAndObserveOnly() {
        check(noClasses()
                .that()
                .resideInAPackage(PIPELINE)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(PIPELINE, TIME_SERIES, KAFKA, STORM, OBSERVE))
                        .and(resideOutsideOfPackages(ENGINE_API))));
    }

    @Test
    void theClusterForTestsShouldStandAlone() {
        check(noClasses()
                .that()
                .resideInAPackage(STORM_CLUSTER)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(STORM_CLUSTER))));
        check(noClasses()
                .that(ours().and(resideOutsideOfPackages(STORM_CLUSTER, BENCH_CLUSTER)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(STORM_CLUSTER));
    }

    @Test
    void theServersForTestsShouldStandAlone() {
        check(noClasses()
                .that()
                .resideInAPackage(SERVERS)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(SERVERS))));
        check(noClasses()
                .that(ours().and(resideOutsideOfPackages(SERVERS, "io.updraft.bench.aggregate..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SERVERS));
    }

    /** The command line does not ship this module, which runs where only the bench's classes of Updraft are available. */
    @Test
    void theBenchOnStormsClusterShouldKnowTheBenchAndTheClusterOnlyAndBeKnownToNobody() {
        check(noClasses()
                .that()
                .resideInAPackage(BENCH_CLUSTER)
                .should()
                .dependOnClassesThat(ours().and(resideOutsideOfPackages(
                        BENCH_CLUSTER, STORM_CLUSTER, "io.updraft.bench.workers", "io.updraft.bench.topology.."))));
        check(noClasses()
                .that(ours().and(resideOutsideOfPackages(BENCH_CLUSTER)))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(BENCH_CLUSTER));
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
                .that(resideInAnyPackage(ENGINE, STORM, CLUSTER, TRANSPORTS, MESSAGING, STORM_CLUSTER)
                        .and(DescribedPredicate.not(WORKER_MAIN.or(CLUSTER_MAIN))))
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

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }

    /**
     * Every package is a layer, except the engine's front package, where every type is a layer. That package has the engine
     * itself, which depends on all layers below, and small types that those layers share with the caller.
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
