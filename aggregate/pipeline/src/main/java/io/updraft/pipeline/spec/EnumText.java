package io.updraft.pipeline.spec;

import io.updraft.base.text.Spelling;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Converts between the constants of enums and their names in descriptions: lower case, with underscores. */
final class EnumText {

    private EnumText() {}

    static <E extends Enum<E>> E parse(Class<E> type, String text) {
        String wanted = text.toLowerCase(Locale.ROOT).replace('-', '_');
        for (E constant : type.getEnumConstants()) {
            if (write(constant).equals(wanted)) {
                return constant;
            }
        }
        String instead = Spelling.instead(wanted, names(type));
        throw new IllegalArgumentException("'" + text + "' is not one of " + String.join(", ", names(type))
                + (instead.contains("did you mean") ? instead : ""));
    }

    static <E extends Enum<E>> List<String> names(Class<E> type) {
        return Arrays.stream(type.getEnumConstants()).map(EnumText::write).toList();
    }

    static String write(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
