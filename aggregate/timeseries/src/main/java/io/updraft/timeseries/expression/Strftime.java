package io.updraft.timeseries.expression;

import java.nio.charset.StandardCharsets;

/** Writes times by a format such as {@code %Y-%m-%d %H:%M}. English names. One thread only. */
final class Strftime {

    private static final String KNOWN = "YymdHMSfjaAbBpIuwVGQs%";
    private static final String[] DAYS = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    private static final String[] MONTHS = {
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December"
    };

    private final byte[] format;
    private final CivilTime civil = new CivilTime();
    private final TextBuilder text = new TextBuilder();

    Strftime(byte[] format) {
        this.format = format;
    }

    /** Returns whether all letters of a format are known. */
    static boolean isKnown(String format) {
        for (int i = 0; i < format.length(); i++) {
            if (format.charAt(i) == '%'
                    && (++i == format.length()
                            || "GQs".indexOf(format.charAt(i)) >= 0
                            || KNOWN.indexOf(format.charAt(i)) < 0)) {
                return false;
            }
        }
        return true;
    }

    void write(ExpressionValue time) {
        text.clear();
        long millis = time.whole;
        for (int i = 0; i < format.length; i++) {
            if (format[i] == '%') {
                part(format[++i], millis);
            } else {
                text.add(format, i, 1);
            }
        }
        text.to(time);
    }

    private void part(byte letter, long millis) {
        switch (letter) {
            case 'Y' -> add(CivilTime.Part.YEAR, millis, 4);
            case 'y' -> add(CivilTime.digits(Math.floorMod(civil.part(CivilTime.Part.YEAR, millis), 100L), 2));
            case 'm' -> add(CivilTime.Part.MONTH, millis, 2);
            case 'd' -> add(CivilTime.Part.DAY, millis, 2);
            case 'H' -> add(CivilTime.Part.HOUR, millis, 2);
            case 'I' -> add(CivilTime.digits((civil.part(CivilTime.Part.HOUR, millis) + 11) % 12 + 1, 2));
            case 'p' -> add(civil.part(CivilTime.Part.HOUR, millis) < 12 ? "AM" : "PM");
            case 'M' -> add(CivilTime.Part.MINUTE, millis, 2);
            case 'S' -> add(CivilTime.Part.SECOND, millis, 2);
            case 'f' -> add(CivilTime.digits(Math.floorMod(millis, 1000L), 3) + "000");
            case 'j' -> add(CivilTime.Part.DOY, millis, 3);
            case 'V' -> add(CivilTime.Part.WEEK, millis, 2);
            case 'u' -> add(CivilTime.Part.ISODOW, millis, 1);
            case 'w' -> add(CivilTime.Part.DOW, millis, 1);
            case 'a' -> add(day(millis).substring(0, 3));
            case 'A' -> add(day(millis));
            case 'b' -> add(month(millis).substring(0, 3));
            case 'B' -> add(month(millis));
            default -> add("%");
        }
    }

    private String day(long millis) {
        return DAYS[(int) civil.part(CivilTime.Part.DOW, millis)];
    }

    private String month(long millis) {
        return MONTHS[(int) civil.part(CivilTime.Part.MONTH, millis) - 1];
    }

    private void add(CivilTime.Part part, long millis, int width) {
        add(CivilTime.digits(civil.part(part, millis), width));
    }

    private void add(String part) {
        byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
        text.add(utf8, 0, utf8.length);
    }
}
