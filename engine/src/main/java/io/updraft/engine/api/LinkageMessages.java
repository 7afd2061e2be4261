package io.updraft.engine.api;

import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.storm.utils.VersionInfo;

/** Says, in one line, what a program needs that this process does not have: a part of another Storm's API, or a newer Java. */
public final class LinkageMessages {

    private static final String STORMS = "org.apache.storm.";
    private static final Pattern STORMS_NAME = Pattern.compile("org[./]apache[./]storm[./][\\w./$]+");
    private static final Pattern LEGACY_NAME = Pattern.compile("(backtype/storm|storm/trident)/[\\w/$]+");
    private static final Pattern QUOTED = Pattern.compile("'([^']+)'");
    private static final Pattern CLASS_VERSION = Pattern.compile("(\\S+) .*\\(class file version (\\d+)\\.");
    private static final int VERSION_OF_JAVA_0 = 44;

    private LinkageMessages() {}

    /**
     * Describes the first failure of a chain of causes that is about a missing part.
     *
     * @param failure the failure
     * @return one line; empty if no cause is about a missing part
     */
    public static Optional<String> of(Throwable failure) {
        return of(failure, each -> each.getClass().getSimpleName());
    }

    /**
     * Describes a failure of this or another process.
     *
     * @param failure the failure
     * @param typeOf the simple name of the class of a failure; that of its original if the failure comes from another process
     * @return one line; empty if no cause is about a missing part
     */
    public static Optional<String> of(Throwable failure, Function<Throwable, String> typeOf) {
        return Stream.iterate(failure, each -> each != null, Throwable::getCause)
                .filter(each -> each.getMessage() != null)
                .flatMap(each -> of(typeOf.apply(each), each.getMessage(), each.getStackTrace()).stream())
                .findFirst();
    }

    private static Optional<String> of(String type, String message, StackTraceElement[] stack) {
        if (type.equals("UnsupportedClassVersionError")) {
            return newerJava(message);
        }
        if (type.equals("NoClassDefFoundError") && LEGACY_NAME.matcher(message).matches()) {
            return Optional.of(message.replace('/', '.') + " is of Storm 0.9" + user(stack)
                    + "; convert the jar with 'updraft convert'");
        }
        return missing(type, message).map(part -> {
            String version = VersionInfo.getVersion();
            return "Storm " + version + " has no " + part + user(stack) + "; compile the program against storm-client "
                    + version + ", or run it on a cluster of the Storm that has it";
        });
    }

    private static Optional<String> newerJava(String message) {
        Matcher version = CLASS_VERSION.matcher(message);
        return version.find()
                ? Optional.of(version.group(1).replace('/', '.') + " is compiled for Java "
                        + (Integer.parseInt(version.group(2)) - VERSION_OF_JAVA_0) + ", and this is Java "
                        + Runtime.version().feature() + "; set JAVA_HOME to a newer JDK")
                : Optional.empty();
    }

    /** Returns the missing class, method or field, if it is Storm's. */
    private static Optional<String> missing(String type, String message) {
        Matcher named = STORMS_NAME.matcher(message);
        boolean stormsClass = named.find();
        return switch (type) {
            case "NoClassDefFoundError" ->
                stormsClass && named.start() == 0
                        ? Optional.of("class " + named.group().replace('/', '.'))
                        : Optional.empty();
            case "NoSuchMethodError" ->
                quoted(message).filter(LinkageMessages::isStorms).map(each -> "method " + each);
            case "NoSuchFieldError" -> stormsClass ? Optional.of("such field: " + message) : Optional.empty();
            case "AbstractMethodError", "IncompatibleClassChangeError" ->
                stormsClass ? Optional.of("class or interface of that form: " + message) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<String> quoted(String message) {
        Matcher quoted = QUOTED.matcher(message);
        return quoted.find() ? Optional.of(quoted.group(1)) : Optional.empty();
    }

    /** Returns whether a method is declared by a class of Storm's, and does not only mention one: {@code void a.B.c(d.E)}. */
    private static boolean isStorms(String method) {
        String head = method.substring(0, Math.max(0, method.indexOf('(')));
        return head.substring(head.lastIndexOf(' ') + 1).startsWith(STORMS);
    }

    /** Returns the place in the program, as words; empty if the stack has none. */
    private static String user(StackTraceElement[] stack) {
        return Stream.of(stack)
                .filter(frame ->
                        !frame.getClassName().matches("(java|javax|jdk|sun|com\\.sun|org\\.apache\\.storm)\\..*"))
                .filter(frame -> !frame.getClassName().startsWith("io.updraft."))
                .findFirst()
                .map(frame -> ", used at " + withoutLoader(frame))
                .orElse("");
    }

    private static StackTraceElement withoutLoader(StackTraceElement frame) {
        return new StackTraceElement(
                frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber());
    }
}
