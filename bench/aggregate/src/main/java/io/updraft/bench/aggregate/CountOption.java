package io.updraft.bench.aggregate;

import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/**
 * A number on the command line. The suffixes k, m and g multiply by a thousand, a million and a thousand million.
 *
 * @param value at least 1
 */
record CountOption(long value) {

    static CountOption parse(String text) {
        String number = text.toLowerCase(Locale.ROOT);
        long unit = number.endsWith("k")
                ? 1_000
                : number.endsWith("m") ? 1_000_000 : number.endsWith("g") ? 1_000_000_000 : 1;
        try {
            long value = Math.multiplyExact(
                    Long.parseLong(unit == 1 ? number : number.substring(0, number.length() - 1)), unit);
            if (value < 1) {
                throw new TypeConversionException("'" + text + "' must be at least 1");
            }
            return new CountOption(value);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is not a whole number such as 500, 10k or 20m");
        }
    }

    int intValue() {
        return Math.toIntExact(value);
    }
}
