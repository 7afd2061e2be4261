package io.updraft.architecture;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The signatures of Storm, and of the libraries that a Storm worker shares with Updraft, that Updraft's classes use. {@code
 * quality/storm-signatures} records those of a Storm distribution; {@code StormSignaturesTest} holds Updraft's bytecode against the
 * record and against the Storm of the build. Classes that are loaded by reflection are not seen, nor are lambdas. Uses the JDK
 * only, so that the command needs no build tool.
 */
final class StormSignatures {

    /** What a worker's class path has in common with Updraft: see the archive's excludes. */
    private static final List<String> SHARED = List.of(
            "org/apache/storm/", "com/esotericsoftware/", "com/codahale/metrics/", "org/slf4j/", "org/apache/logging/");

    /** Classes by their internal names; of several with one name, the first. */
    private final Map<String, Type> types = new HashMap<>();

    /** A method or field; a field's descriptor has no parenthesis. */
    record Member(int access, String name, String descriptor) {
        String signature() {
            return name + " " + descriptor;
        }

        boolean isConcrete() {
            return (access & (Modifier.ABSTRACT | Modifier.STATIC | Modifier.PRIVATE)) == 0;
        }
    }

    /** A class file: its references are {@code class Owner} and {@code member Owner name descriptor}. */
    record Type(
            int access,
            String name,
            String parent,
            List<String> interfaces,
            List<Member> members,
            Set<String> references) {

        List<String> parents() {
            List<String> all = new ArrayList<>(interfaces);
            if (parent != null) {
                all.add(0, parent);
            }
            return all;
        }
    }

    /** Writes the record: a file, Updraft's class path, and the directories of Storm's jars, each after the other. */
    public static void main(String[] args) throws IOException {
        List<Type> ours = typesIn(Path.of(args[1]));
        StormSignatures storm = new StormSignatures();
        for (String directory : Arrays.copyOfRange(args, 2, args.length)) {
            try (Stream<Path> jars = Files.list(Path.of(directory))) {
                jars.filter(jar -> jar.toString().endsWith(".jar")).sorted().forEach(jar -> storm.add(typesIn(jar)));
            }
        }
        storm.add(ours);
        Files.write(Path.of(args[0]), storm.facts(ours));
    }

    void add(Collection<Type> more) {
        more.forEach(type -> types.putIfAbsent(type.name(), type));
    }

    /** Returns what is true of the signatures that classes use, sorted; a reference that does not resolve has no line. */
    Set<String> facts(Collection<Type> users) {
        Set<String> facts = new TreeSet<>();
        for (Type user : users) {
            user.references().stream().filter(each -> isShared(each, user)).forEach(each -> {
                String fact = fact(each);
                if (fact != null) {
                    facts.add(fact);
                }
            });
            user.parents().stream()
                    .filter(parent -> isShared("class " + parent))
                    .forEach(parent -> facts.addAll(inherited(parent)));
        }
        return facts;
    }

    /**
     * Returns a line for each reference without its fact in a record, and for each abstract method that a class leaves open.
     *
     * @param facts what is true of one Storm
     * @param expected what is true of the Storm of the build, by reference; a reference must mean the same in both
     */
    static List<String> problems(Collection<Type> users, Set<String> facts, Function<String, String> expected) {
        Set<String> problems = new TreeSet<>();
        Map<String, Type> own = new HashMap<>();
        users.forEach(type -> own.put(type.name(), type));
        for (Type user : users) {
            for (String reference : user.references()) {
                if (isShared(reference, user)) {
                    String fact = expected.apply(reference);
                    if (fact == null || !facts.contains(fact)) {
                        problems.add(user.name() + " uses " + reference);
                    }
                }
            }
            open(user, own, facts).forEach(method -> problems.add(user.name() + " does not implement " + method));
        }
        return List.copyOf(problems);
    }

    /** Returns the fact of a reference, null if it does not resolve. */
    String fact(String reference) {
        String[] parts = reference.split(" ");
        Type owner = type(parts[1]);
        if (owner == null || parts.length == 2) {
            return owner == null ? null : reference + (Modifier.isInterface(owner.access()) ? " interface" : "");
        }
        return closure(parts[1]).stream()
                .flatMap(type -> type.members().stream())
                .filter(member -> member.signature().equals(parts[2] + " " + parts[3]))
                .filter(member -> (member.access() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0)
                .findFirst()
                .map(member -> reference + (Modifier.isStatic(member.access()) ? " static" : ""))
                .orElse(null);
    }

    /** Returns the methods that a supertype leaves open, and those that it implements. */
    private List<String> inherited(String supertype) {
        List<String> facts = new ArrayList<>();
        Set<String> concrete = new TreeSet<>();
        Set<String> open = new TreeSet<>();
        for (Type type : closure(supertype)) {
            for (Member member : type.members()) {
                if (member.isConcrete() && !member.name().startsWith("<")) {
                    concrete.add(member.signature());
                } else if (Modifier.isAbstract(member.access())) {
                    open.add(member.signature());
                }
            }
        }
        open.forEach(method -> facts.add((concrete.contains(method) ? "has " : "open ") + supertype + " " + method));
        return facts;
    }

    private static Set<String> open(Type user, Map<String, Type> own, Set<String> facts) {
        Set<String> open = new TreeSet<>();
        if ((user.access() & (Modifier.ABSTRACT | Modifier.INTERFACE)) != 0) {
            return open;
        }
        Set<String> done = new HashSet<>();
        collect(
                user.name(),
                own,
                supertype -> facts.stream()
                        .filter(fact ->
                                fact.startsWith("open " + supertype + " ") || fact.startsWith("has " + supertype + " "))
                        .forEach(fact ->
                                (fact.startsWith("open") ? open : done).add(fact.substring(fact.indexOf(' ', 5) + 1))),
                done);
        open.removeAll(done);
        return open;
    }

    private static void collect(String name, Map<String, Type> own, Consumer<String> foreign, Set<String> done) {
        Type type = own.get(name);
        if (type == null) {
            foreign.accept(name);
            return;
        }
        type.members().stream()
                .filter(Member::isConcrete)
                .map(Member::signature)
                .forEach(done::add);
        type.parents().forEach(parent -> collect(parent, own, foreign, done));
    }

    /** A class of Updraft's under Storm's names, which Storm 2.8 lacks, has its own private members. */
    private static boolean isShared(String reference, Type user) {
        return isShared(reference) && !reference.split(" ")[1].equals(user.name());
    }

    private static boolean isShared(String reference) {
        return SHARED.stream().anyMatch(prefix -> reference.startsWith(prefix, reference.indexOf(' ') + 1));
    }

    /** Returns a type and its supertypes, those of the JDK included. */
    private Collection<Type> closure(String name) {
        Set<Type> all = new LinkedHashSet<>();
        Type type = type(name);
        if (type != null) {
            all.add(type);
            type.parents().forEach(parent -> all.addAll(closure(parent)));
        }
        return all;
    }

    private Type type(String name) {
        return types.computeIfAbsent(name, StormSignatures::ofTheJdk);
    }

    private static Type ofTheJdk(String name) {
        if (!name.startsWith("java")) {
            return null;
        }
        try (InputStream in = ClassLoader.getSystemResourceAsStream(name + ".class")) {
            return in == null ? null : parse(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the classes of a jar or a directory. */
    static List<Type> typesIn(Path place) {
        try {
            return Files.isDirectory(place) ? typesInDirectory(place) : typesInJar(place);
        } catch (IOException e) {
            throw new UncheckedIOException(place.toString(), e);
        }
    }

    private static List<Type> typesInDirectory(Path directory) throws IOException {
        List<Type> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(each -> isClass(each.toString()))::iterator) {
                found.add(parse(Files.readAllBytes(file)));
            }
        }
        return found;
    }

    private static List<Type> typesInJar(Path jar) throws IOException {
        List<Type> found = new ArrayList<>();
        try (ZipFile file = new ZipFile(jar.toFile())) {
            List<? extends ZipEntry> classes =
                    file.stream().filter(each -> isClass(each.getName())).toList();
            for (ZipEntry entry : classes) {
                found.add(parse(file.getInputStream(entry).readAllBytes()));
            }
        }
        return found;
    }

    private static boolean isClass(String file) {
        return file.endsWith(".class") && !file.contains("META-INF/versions") && !file.endsWith("-info.class");
    }

    /** Reads a class file of any version. */
    static Type parse(byte[] file) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        in.readLong(); // magic, version
        Constants constants = Constants.read(in);
        int access = in.readUnsignedShort();
        String name = constants.className(in.readUnsignedShort());
        String parent = constants.className(in.readUnsignedShort());
        List<String> interfaces = new ArrayList<>();
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            interfaces.add(constants.className(in.readUnsignedShort()));
        }
        List<Member> members = new ArrayList<>();
        readMembers(in, constants, members); // fields
        readMembers(in, constants, members); // methods
        return new Type(access, name, parent, interfaces, members, constants.references());
    }

    private static void readMembers(DataInputStream in, Constants constants, List<Member> members) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            int access = in.readUnsignedShort();
            members.add(
                    new Member(access, constants.text(in.readUnsignedShort()), constants.text(in.readUnsignedShort())));
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                in.readUnsignedShort();
                in.skipNBytes(in.readInt());
            }
        }
    }

    /** The constant pool of a class file (JVM specification, 4.4): texts, and pairs of indexes. */
    private record Constants(int[] tags, String[] texts, int[] first, int[] second) {

        private static final int UTF8 = 1;
        private static final int CLASS = 7;
        private static final int FIELD = 9;
        private static final int INTERFACE_METHOD = 11;

        static Constants read(DataInputStream in) throws IOException {
            int size = in.readUnsignedShort();
            Constants all = new Constants(new int[size], new String[size], new int[size], new int[size]);
            for (int i = 1; i < size; i++) {
                i += all.readOne(in, i);
            }
            return all;
        }

        /** Returns the number of indexes that the constant takes besides its own. */
        private int readOne(DataInputStream in, int i) throws IOException {
            tags[i] = in.readUnsignedByte();
            switch (tags[i]) {
                case UTF8 -> texts[i] = in.readUTF();
                case CLASS, 8, 16, 19, 20 -> first[i] = in.readUnsignedShort();
                case 5, 6 -> in.readLong();
                case 15 -> in.skipNBytes(3);
                case 3, 4 -> in.readInt();
                default -> {
                    first[i] = in.readUnsignedShort();
                    second[i] = in.readUnsignedShort();
                }
            }
            return tags[i] == 5 || tags[i] == 6 ? 1 : 0;
        }

        String text(int index) {
            return texts[index];
        }

        /** Returns the name of a class, of the elements if it is an array; null for index 0. */
        String className(int index) {
            return index == 0 ? null : texts[first[index]].replaceAll("^\\[+L(.*);$", "$1");
        }

        Set<String> references() {
            Set<String> all = new TreeSet<>();
            for (int i = 1; i < tags.length; i++) {
                if (tags[i] == CLASS) {
                    all.add("class " + className(i));
                } else if (tags[i] >= FIELD && tags[i] <= INTERFACE_METHOD) {
                    all.add("member " + className(first[i]) + " " + texts[first[second[i]]] + " "
                            + texts[second[second[i]]]);
                }
            }
            return all;
        }
    }
}
