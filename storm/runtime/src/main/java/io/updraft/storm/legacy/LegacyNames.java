package io.updraft.storm.legacy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.Remapper;

/** The packages of Storm 0.9 and 0.10 and their present names. */
public final class LegacyNames {
    /** The packages of the API. A class that mentions one of them is of Storm 0.9 or 0.10. */
    static final List<String> API = List.of("backtype/storm/", "storm/trident/");

    /** The others are libraries inside Storm, which few programs use. The first package that fits counts. */
    private static final Map<String, String> PACKAGES = packages();

    private static final Pattern CLASS_NAME =
            Pattern.compile("(backtype\\.storm|storm\\.trident)\\.(\\w+\\.)*[A-Z][\\w$]*");

    private LegacyNames() {}

    private static Map<String, String> packages() {
        Map<String, String> packages = new LinkedHashMap<>();
        packages.put("backtype/storm/", "org/apache/storm/");
        packages.put("storm/trident/", "org/apache/storm/trident/");
        packages.put("org/apache/thrift7/", "org/apache/storm/thrift/");
        packages.put("org/apache/storm/guava/thirdparty/", "org/apache/storm/shade/com/google/thirdparty/");
        packages.put("org/apache/storm/guava/", "org/apache/storm/shade/com/google/common/");
        packages.put("org/apache/storm/curator/", "org/apache/storm/shade/org/apache/curator/");
        packages.put("org/apache/storm/snakeyaml/", "org/apache/storm/shade/org/yaml/snakeyaml/");
        for (String each : List.of("io", "codec", "lang")) {
            String library = "commons/" + each + "/";
            packages.put("org/apache/storm/" + library, "org/apache/storm/shade/org/apache/" + library);
        }
        return packages;
    }

    /** Returns the present name of a class or file, written with slashes. */
    static String ofPath(String path) {
        for (Map.Entry<String, String> each : PACKAGES.entrySet()) {
            if (path.startsWith(each.getKey())) {
                return each.getValue() + path.substring(each.getKey().length());
            }
        }
        return path;
    }

    /**
     * Replaces the name of a class.
     *
     * @param text any text
     * @return the present name if the whole text is the name of a class of Storm 0.9; the same text otherwise
     */
    public static String ofText(String text) {
        return CLASS_NAME.matcher(text).matches()
                ? ofPath(text.replace('.', '/')).replace('/', '.')
                : text;
    }

    /**
     * Replaces names of classes in a configuration: values, or parts of lists and maps, that are the whole name of a class of Storm
     * 0.9.
     *
     * @param conf the configuration; may be null
     * @return a copy with present names; the configuration itself when it has no old name
     */
    public static Map<String, Object> inConf(Map<String, Object> conf) {
        if (conf == null) {
            return null;
        }
        Map<String, Object> mapped = new LinkedHashMap<>();
        conf.forEach((key, value) -> mapped.put(key, ofValue(value)));
        return mapped.equals(conf) ? conf : mapped;
    }

    private static Object ofValue(Object value) {
        if (value instanceof String text) {
            return ofText(text);
        }
        if (value instanceof List<?> list) {
            List<Object> mapped = new ArrayList<>();
            list.forEach(each -> mapped.add(ofValue(each)));
            return mapped;
        }
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> mapped = new LinkedHashMap<>();
            map.forEach((key, each) -> mapped.put(ofValue(key), ofValue(each)));
            return mapped;
        }
        return value;
    }

    /** Maps names of types and constants in bytecode. */
    static final class Mapping extends Remapper {
        Mapping() {
            super(Opcodes.ASM9);
        }

        @Override
        public String map(String internalName) {
            return ofPath(internalName);
        }

        @Override
        public Object mapValue(Object value) {
            return value instanceof String text ? ofText(text) : super.mapValue(value);
        }
    }
}
