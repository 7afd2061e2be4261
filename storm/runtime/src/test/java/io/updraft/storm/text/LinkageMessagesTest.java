package io.updraft.storm.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.engine.api.LinkageMessages;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A program that is compiled against another Storm gets one line that names what is missing. */
class LinkageMessagesTest {

    private static final String REMEDY =
            "; compile the program against storm-client 2.8.3, or run it on a cluster of the Storm that has it";

    private static <T extends Throwable> T thrownAt(T error, String... classes) {
        StackTraceElement[] stack = new StackTraceElement[classes.length];
        for (int i = 0; i < classes.length; i++) {
            stack[i] = new StackTraceElement(classes[i], "execute", "Gauge.java", i + 1);
        }
        error.setStackTrace(stack);
        return error;
    }

    @Test
    void shouldNameTheMissingClassAndThePlaceInTheProgram() {
        Error error = thrownAt(
                new NoClassDefFoundError("org/apache/storm/metrics2/EwmaGauge"),
                "java.lang.Class",
                "org.apache.storm.utils.Utils",
                "com.acme.Gauge",
                "io.updraft.storm.JarRunner");

        assertThat(LinkageMessages.of(error))
                .contains("Storm 2.8.3 has no class org.apache.storm.metrics2.EwmaGauge, used at"
                        + " com.acme.Gauge.execute(Gauge.java:3)" + REMEDY);
        assertThat(FailureMessages.oneLine(new RuntimeException("wrapped", error)))
                .startsWith("Storm 2.8.3 has no class org.apache.storm.metrics2.EwmaGauge");
    }

    @Test
    void shouldNameTheMissingMethod() {
        Error error = thrownAt(new NoSuchMethodError("'long org.apache.storm.utils.Time.currentTimeSecsLong()'"));

        assertThat(LinkageMessages.of(error))
                .contains("Storm 2.8.3 has no method long org.apache.storm.utils.Time.currentTimeSecsLong()" + REMEDY);
    }

    @Test
    void shouldNameWhatTheProgramDoesNotImplement() {
        String message = "Receiver class com.acme.D does not define or inherit an implementation of the resolved method"
                + " 'abstract void decorate(com.esotericsoftware.kryo.Kryo)' of interface"
                + " org.apache.storm.serialization.IKryoDecorator.";

        assertThat(LinkageMessages.of(thrownAt(new AbstractMethodError(message))))
                .hasValueSatisfying(
                        line -> assertThat(line).contains("IKryoDecorator").endsWith(REMEDY));
    }

    @Test
    void shouldSayHowToConvertAClassOfStorm09() {
        Error error = thrownAt(new NoClassDefFoundError("backtype/storm/tuple/Tuple"), "com.acme.Old");

        assertThat(LinkageMessages.of(error))
                .contains("backtype.storm.tuple.Tuple is of Storm 0.9, used at com.acme.Old.execute(Gauge.java:1);"
                        + " convert the jar with 'updraft convert'");
    }

    @ParameterizedTest
    @CsvSource({
        "com/acme/Missing",
        "Could not initialize class org.apache.storm.utils.Utils",
        "org/acme/storm/Missing",
    })
    void shouldSayNothingOfOtherClasses(String message) {
        assertThat(LinkageMessages.of(new NoClassDefFoundError(message))).isEmpty();
        assertThat(FailureMessages.oneLine(new NoClassDefFoundError(message)))
                .isEqualTo("NoClassDefFoundError: " + message);
    }

    @Test
    void shouldSayNothingOfMethodsThatOnlyTakeAClassOfStorms() {
        assertThat(LinkageMessages.of(new NoSuchMethodError("'void com.acme.A.b(org.apache.storm.tuple.Tuple)'")))
                .isEmpty();
    }

    @Test
    void shouldSayWhichJavaAProgramNeeds() {
        Error error =
                new UnsupportedClassVersionError("com/acme/Main has been compiled by a more recent version of the Java"
                        + " Runtime (class file version 99.0), this version of the Java Runtime only recognizes class file versions"
                        + " up to 61.0");

        assertThat(LinkageMessages.of(error))
                .contains("com.acme.Main is compiled for Java 55, and this is Java "
                        + Runtime.version().feature() + "; set JAVA_HOME to a newer JDK");
    }
}
