package io.updraft.bench.aggregate;

import java.util.Locale;
import picocli.CommandLine.TypeConversionException;

/**
 * A number on the command line, with k, m or g behind it for thousands, millions and thousands of millions.
 *
 * @param value at least 1
 */
record Amount(long value) {

    static Amount parse(String text) {
        String number = text.toLowerCase(Locale.ROOT);
        long unit = number.endsWith("k")
                ? 1_000
                : number.endsWith("m") ? 1_000_000 : number.endsWith("g") ? 1_000_000_000 : 1;
        try {
            long value = Math.multiplyExact(
                    Long.parseLong(unit == 1 ? number : number.substring(0, number.length() - 1)), unit);
            if (value < 1) {
                throw new TypeConversionException("'" + text + "' is not at least 1");
            }
            return new Amount(value);
        } catch (NumberFormatException | ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is no number such as 500, 10k or 20m");
        }
    }

    int intValue() {
        return Math.toIntExact(value);
    }
}
