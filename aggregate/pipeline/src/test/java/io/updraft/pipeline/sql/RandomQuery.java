package io.updraft.pipeline.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random queries over a table of numbers, texts, booleans and times; the same for the same seed. */
final class RandomQuery {

    /**
     * The columns of a table, by their types, and conditions of them.
     *
     * @param timesDiffer whether no two rows have one time
     */
    record Table(
            List<String> keys,
            List<String> numbers,
            List<String> texts,
            List<String> conditions,
            String time,
            boolean timesDiffer) {}

    /** A query for both: with {@code TABLE_FILE} and {@code TABLE_NAME} in place of the file and the table. */
    record Both(String updraft, String duckDb, boolean ordered, boolean windowed) {}

    private final Table table;
    private final Random random;
    private final List<String> keys = new ArrayList<>();
    private final List<String> keyNames = new ArrayList<>();
    private boolean windowed;

    RandomQuery(Table table, Random random) {
        this.table = table;
        this.random = random;
    }

    private boolean chance(int in) {
        return random.nextInt(in) == 0;
    }

    private String of(List<String> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    Both next() {
        windowed = chance(4);
        int count = random.nextInt(3);
        while (keys.size() < count) {
            String key = of(table.keys());
            if (!keys.contains(key)) {
                keys.add(key);
                keyNames.add(key.matches("\\w+") ? key : "k" + keys.size());
            }
        }
        List<String> select = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            select.add(keys.get(i).equals(keyNames.get(i)) ? keys.get(i) : keys.get(i) + " AS " + keyNames.get(i));
        }
        select.add("count(*) AS n");
        int measures = random.nextInt(4);
        List<String> ofTime = new ArrayList<>(select);
        for (int i = 0; i < measures; i++) {
            if (windowed && table.timesDiffer() && chance(4)) {
                String number = of(table.numbers());
                boolean first = random.nextBoolean();
                select.add((first ? "first(" : "last(") + number + ") AS m" + i);
                ofTime.add((first ? "arg_min(" : "arg_max(") + number + ", " + table.time() + ") AS m" + i);
            } else {
                String measure = measure() + " AS m" + i;
                select.add(measure);
                ofTime.add(measure);
            }
        }
        String where = chance(2) ? " WHERE " + condition() : "";
        String having = chance(3) ? " HAVING " + havingCondition() : "";
        return both(String.join(", ", select), String.join(", ", ofTime), where, having);
    }

    private Both both(String select, String selectOfDuckDb, String where, String having) {
        String hours = of(List.of("1", "6", "24"));
        String bucket = "time_bucket(INTERVAL '" + hours + " hours', " + table.time() + ")";
        String names = String.join(", ", keyNames);
        String order = keys.isEmpty() ? "n" : "n DESC, " + names;
        boolean top = !keys.isEmpty() && chance(4);
        String groupBy = keys.isEmpty() ? "" : " GROUP BY " + (chance(4) && !top ? "ALL" : names);
        String rows = String.valueOf(1 + random.nextInt(3));
        if (windowed) {
            String comma = keys.isEmpty() ? "" : ", " + names;
            String qualify =
                    " QUALIFY row_number() OVER (PARTITION BY %s ORDER BY count(*) DESC, " + names + ") <= " + rows;
            return new Both(
                    "SELECT window_start, " + select + " FROM TUMBLE(TABLE 'TABLE_FILE', DESCRIPTOR(" + table.time()
                            + "), INTERVAL '"
                            + hours + "' HOUR)" + where + " GROUP BY window_start, window_end" + comma + having
                            + (top ? qualify.formatted("window_start") : ""),
                    "SELECT " + bucket + " AS window_start, " + selectOfDuckDb + " FROM TABLE_NAME" + where
                            + " GROUP BY " + bucket + comma + having + (top ? qualify.formatted(bucket) : ""),
                    false,
                    true);
        }
        String per = keyNames.size() > 1 ? "PARTITION BY " + keyNames.get(0) + " " : "";
        String qualify =
                top ? " QUALIFY row_number() OVER (" + per + "ORDER BY count(*) DESC, " + names + ") <= " + rows : "";
        boolean ordered = !keys.isEmpty() && chance(3);
        String orderBy = ordered ? " ORDER BY " + order + (chance(2) ? " LIMIT " + (1 + random.nextInt(6)) : "") : "";
        String rest = where + groupBy + having + qualify + orderBy;
        return new Both(
                "SELECT " + select + " FROM 'TABLE_FILE'" + rest,
                "SELECT " + selectOfDuckDb + " FROM TABLE_NAME" + rest,
                ordered,
                false);
    }

    private String havingCondition() {
        return of(List.of(
                "n > " + random.nextInt(6),
                "count(*) BETWEEN 2 AND 30",
                "sum(" + of(table.numbers()) + ") > " + random.nextInt(50),
                "max(" + of(table.numbers()) + ") IS NOT NULL",
                "avg(" + of(table.numbers()) + ") < 5 OR n = 1"));
    }

    private String condition() {
        String condition = of(table.conditions());
        return switch (random.nextInt(5)) {
            case 0 -> condition + " AND " + of(table.conditions());
            case 1 -> condition + " OR NOT " + of(table.conditions());
            default -> condition;
        };
    }

    private String measure() {
        return switch (random.nextInt(7)) {
            case 0 -> aggregate() + " / nullif(" + aggregate() + ", 0)";
            case 1 -> "coalesce(" + numeric() + ", -1) + 1";
            case 2 -> "CASE WHEN count(*) > 3 THEN " + numeric() + " ELSE 0 END";
            default -> chance(3) ? other() : aggregate();
        };
    }

    /** An aggregate whose value is a number. */
    private String numeric() {
        return chance(3) ? "count(DISTINCT " + of(table.texts()) + ")" : aggregate();
    }

    private String number() {
        String number = of(table.numbers());
        return switch (random.nextInt(5)) {
            case 0 -> number + " * " + of(table.numbers());
            case 1 -> "abs(" + number + ") + 1";
            case 2 -> "CASE WHEN " + of(table.conditions()) + " THEN " + number + " END";
            default -> number;
        };
    }

    private String filter() {
        return chance(4) ? " FILTER (WHERE " + condition() + ")" : "";
    }

    private String aggregate() {
        String name = of(List.of(
                "count",
                "sum",
                "avg",
                "min",
                "max",
                "median",
                "stddev_pop",
                "stddev_samp",
                "var_pop",
                "var_samp",
                "quantile_cont",
                "quantile_disc"));
        String fraction = name.startsWith("quantile") ? ", " + of(List.of("0", "0.1", "0.25", "0.5", "0.99", "1")) : "";
        return name + "(" + number() + fraction + ")" + filter();
    }

    private String other() {
        return of(List.of(
                        "count(DISTINCT " + of(table.numbers()) + ")",
                        "count(DISTINCT " + of(table.texts()) + ")",
                        "min(" + of(table.texts()) + ")",
                        "max(" + of(table.texts()) + ")",
                        "min(" + table.time() + ")",
                        "count(" + of(table.texts()) + ")",
                        "count(*)",
                        "bool_and(" + of(table.conditions()) + ")",
                        "bool_or(" + of(table.conditions()) + ")",
                        "count_if(" + of(table.conditions()) + ")"))
                + filter();
    }
}
