package io.updraft.pipeline.spec;

import io.updraft.pipeline.connector.SourceSpec;
import io.updraft.pipeline.kafka.KafkaSinkOptions;
import io.updraft.pipeline.kafka.RouteOptions;
import io.updraft.pipeline.sink.ConsoleSinkOptions;
import io.updraft.pipeline.sink.FileSinkOptions;
import io.updraft.pipeline.sink.PostgresSinkOptions;
import io.updraft.pipeline.sink.RedisSinkOptions;
import io.updraft.pipeline.sink.RejectedRecordSinkOptions;
import io.updraft.timeseries.decode.DecodeSpec;
import io.updraft.timeseries.record.FieldType;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The keys of each section, from which reading, {@code --explain}, the flags and docs/aggregate.md follow. A row has the name of
 * a key ({@code !} if it is required, then the component of the section's record if it has another name), its {@link
 * SectionKey.Form} and limits, its default (in parentheses if it depends on the rest of the description), and its meaning. The
 * type of a key is that of the component.
 */
public enum KeyTable {
    PIPELINE(PipelineSpec.class, """
            name           |         | (the file's)           | state is kept under it
            source!        | other   |                        | where records come from: `file`, `stdin`, `kafka`, `http`, `generator`
            format decode  | other   |                        | `json` or `csv`
            flatten decode | other   |                        | fields and their types, filters, computed fields
            time           | other   |                        | which time a row has
            aggregate      | other   |                        | dimensions, measures, windows
            route          | other   |                        | Kafka partitions by key, without aggregation
            sinks          | other   |                        | where results go
            late           | other   |                        | where late rows go
            dead_letters   | other   |                        | where unusable records go
            keyed          |         | false                  | all records of a group are in one share
            parallelism    | 1..1024 | (the number of cores)  | how many tasks aggregate or route
            track          |         | true                   | positions are tracked and committed
            unusable       |         | keep                   | what happens if no record can be used
            alarm          |         | 2m                     | after how long the log names a record that is in no result or in no cluster
            give_up        |         | (never)                | after how long the run ends with an error if nothing can be read or written
            state          |         | (in `$XDG_STATE_HOME`) | positions of files that are resumed"""),
    CSV(CsvKeys.class, """
            type          |       |                             | `json` or `csv`
            delimiter     |       | (a comma; a tab for `.tsv`) | the separator of columns
            quote         |       | "                           | the sign around a value with separators
            null nullText |       | (the empty text)            | the text of a missing value
            header        |       | (`true` without `names`)    | the first line names the columns
            names         | words |                             | the names of the columns"""),
    FLATTEN(FlattenKeys.class, """
            explode |       |                           | JSON: the path of an array or object; each element gives a row
            fields  | other |                           | name: type, or name: options
            derive  | other |                           | computed fields: `name: expression`
            filter  |       |                           | an expression that is true for the rows to keep, such as `delay > 0`
            infer   |       | (`true` without `fields`) | guess fields that are used and not in `fields`"""),
    FIELD(FieldKeys.class, """
            type             |  | (`text`; that of `from`) | `text`, `long`, `double`, `decimal`, `boolean` or `time`
            path             |  | (the field's name) | JSON: a path; CSV: the column
            from             |  |                    | in place of a path, what the source knows of the record
            default fallback |  |                    | the value where there is none
            null nullText    |  |                    | the text of a missing value in this field
            required         |  | false              | a record without it is a dead letter
            scale            | 0..18 | 3             | for decimals: the number of digits after the point, 0 to 18
            format           |  |                    | for times: `iso`, `seconds`, `millis`, `micros`, `nanos`, or a pattern
            zone             |  | UTC                | for times that name none
            decimal          |  | (`.`; `,` if `thousands` is `.`) | for numbers: the sign before the fraction, `.` or `,`
            thousands        |  | (none)             | for numbers: the sign between groups of three digits"""),
    TIME(TimeKeys.class, """
            field    |          |                                  | a field of type `time`
            source   |          | false                            | the time of the Kafka record
            disorder | disorder | (`0s`; `any` if the source ends) | by how much a record may be older than one before it
            idle     |          | 10s                              | after this time without a record, a file or partition no longer holds back the others
            ahead    |          | 1d                               | how far a time may lie ahead of this machine's clock"""),
    AGGREGATE(AggregateKeys.class, """
            group_by  | words  | (one group)                | the dimensions, of any type but `double`
            measures! |        |                            | name: expression, such as `sum(x) / count(*)`
            having    |        |                            | a condition of the groups to write, such as `n >= 10`
            top       |        | (all groups)               | only the first groups of each set of groups
            order_by  |        | (any order)                | the order of the rows of a window, such as `n desc`
            limit     | 1..    | (all rows)                 | the most rows of a window
            every     |        | (one window of everything) | length of a window, such as `5m`, or `day`, `week`, `month`, `quarter`, `year`
            slide     |        | (as `every`)               | from one window's start to the next one's
            zone      | other  | UTC                        | time zone of days, weeks, months, quarters and years
            lateness  |        | 0s                         | how long after its end a window takes rows and is written again with them
            early     |        | (never)                    | how often results so far are written before a window's end
            unique    |        |                            | rows with an id that a row before had do not count
            limits    |        |                            | of all open windows of this process together"""),
    UNIQUE(AggregateSpec.Unique.class, """
            by!    | words    |                                        | the fields whose values are the id of a row
            within | positive | (without `every`: any time)            | the longest time between two rows that are duplicates
            ids    | 1..      | (as many as fit an eighth of the heap) | how many ids are remembered at most"""),
    TOP(TopKeys.class, """
            rows! | 1..   |                         | how many groups of each set
            per   | words | (one set of all groups) | the dimensions whose values make a set
            by    |       |                         | the order in which groups come first, such as `n desc`"""),
    LIMITS(AggregateSpec.Limits.class, """
            groups | 1..         |                    | the most groups
            memory | bytes 1MB.. | (half of the heap) | the most bytes of these groups
            spill  |             |                    | a directory for groups that do not fit"""),
    FILE(SourceSpec.Files.class, """
            path! paths |                  |               | files, directories, patterns
            follow      |                  | false         | wait for more lines and more files
            order       |                  | together      | whether files are read together or one after the other
            resume      |                  | (as `follow`) | continue at the position that an earlier run committed
            max_record  | bytes 256KB..1GB | 16MB          | a longer record is a dead letter"""),
    STDIN(SourceSpec.Stdin.class, """
            max_record | bytes 256KB..1GB | 16MB | a longer record is a dead letter"""),
    KAFKA(SourceSpec.Kafka.class, """
            bootstrap! clusters | clients  |                               | `host:port,...`
            topic! topics       | words    |                               | one or several
            group               |          | (the pipeline's name)         | the consumer group
            start               |          | earliest                      | where to start without a committed offset
            to_end              |          | false                         | end at the record that was newest at the start, and write all windows
            zookeeper           |          |                               | `host:port/path` (path `/updraft`): share partitions there instead of by Kafka's group protocol
            session             | positive | (`6s`; with `zookeeper` `4s`) | how long a process may be silent before others take over its partitions"""),
    HTTP(SourceSpec.Http.class, """
            listen host |                  | 127.0.0.1:8080 | an address that others can reach needs a `token`
            token       | secret           |                | clients send it as `Authorization: Bearer <token>`, or as the password of Basic
            max_body    | bytes 1KB..1GB   | 1MB            | the largest request, uncompressed
            queue       | bytes 64KB..16GB | 16MB           | received bytes that wait for the pipeline
            idle        | positive         | 30s            | a connection that sends no whole request in this time, or does not read its answer, is closed
            connections | 1..1000000       | 1000           | how many may be open
            tls         |                  |                | `certificate` and `key`"""),
    CERTIFICATE(SourceSpec.Http.Certificate.class, """
            certificate! chain |  |  | a PEM file with the chain
            key!               |  |  | a PEM file with its private key (PKCS #8, without a password)"""),
    GENERATOR(SourceSpec.Generator.class, """
            format     |                        | json                           | `json` or `csv`
            records    | 0..4611686018427387903 | (no end)                       | how many
            rate       | 1..1000000000          | (no limit)                     | records per second
            seed       | ..                     | 1                              | the same seed gives the same records
            units      | 1..4096                | 1                              | over how many units the records are distributed
            time       |                        | time                           | the field with the time, in milliseconds
            start      |                        | 2026-01-01T00:00:00Z           | the time of the first record
            step       | positive               | 1ms                            | the time from one record to the next
            dimensions | other                  | (`{metric: 1000, source: 10}`) | text fields, each with its number of different values
            measures   | words                  | value                          | number fields, with whole numbers from 0 to 999"""),
    ROUTE(RouteOptions.class, """
            key!                | words           |        | one or several fields
            topic!              |                 |        | its name in each cluster
            bootstrap! clusters | clients         |        | `host:port,...`
            partitions!         | 1..1000000      |        | how many indexes keys are spread over
            value               |                 | record | `record`: the record as it was read
            failover            | millis          | 3s     | how long a cluster may take for a record before the next one gets it
            probe               | millis          | 2s     | pause before one record is sent to a failed partition again
            queue               | bytes 1MB..64GB | 64MB   | bytes that may wait for brokers
            answer              | millis          | 10s    | HTTP: how long a request waits for the brokers before the answer is 503"""),
    STDOUT(ConsoleSinkOptions.class, """
            style    |               | table | `table`, `csv`, `tsv` or `json`
            max_rows | 1..2147483647 | 40    | the most rows of a window in a table"""),
    RESULT_FILE(FileSinkOptions.class, """
            path!         |  |                                    | the file
            anew replaces |  | (`true` if the source starts over) | replace the file in each run"""),
    KAFKA_SINK(KafkaSinkOptions.class, """
            topic!             |         |       | the topic
            bootstrap! client  | clients |       | `host:port,...` of one cluster
            format             |         | json  | `json` or `csv`
            transactional_id   |         |       | the id of a transaction of results alone
            exactly_once group | flag    | false | results and offsets are one transaction"""),
    REDIS(RedisSinkOptions.class, """
            server! | url |      | `redis://[[user]:password@]host[:port][/database]`, or `rediss:` for TLS
            layout  |     | hash | `hash`, `time_series` or `sorted_set`
            key!    |     |      | a template
            expiry  |     |      | how long a key lasts after its last write
            timeout |     | 10s  | the limit for connecting and for an answer"""),
    POSTGRES(PostgresSinkOptions.class, """
            url!               | url    |                             | `jdbc:postgresql://host[:port]/database`
            user               |        |                             | the user
            password           | secret |                             | the password of this user
            table!             |        |                             | the table
            create             |        | false                       | create the table if it is missing
            positions pipeline | flag   | (`true`; `false` for Kafka) | put the source's positions into the results' transaction
            timeout            |        | 10s                         | the limit for connecting and for an answer"""),
    RECORD_FILE(RejectedRecordSinkOptions.Lines.class, """
            path!             |                                |           | the file, of JSON lines
            max_size maxBytes | bytes 1KB..4611686018427387903 | 100000000 | the most bytes of all files together
            files             | 1..1000                        | 4         | the most files"""),
    RECORD_TOPIC(RejectedRecordSinkOptions.Topic.class, """
            topic!            |         |  | the topic
            bootstrap! client | clients |  | `host:port,...` of one cluster"""),
    RECORD_SAMPLE(RejectedRecordSinkOptions.Sample.class, """
            first | 0..1000000 | 10 | this many lines, then fewer and fewer""");

    private final Class<? extends Record> section;
    private final List<SectionKey> keys;

    record CsvKeys(
            DecodeSpec.Format type, char delimiter, char quote, String nullText, boolean header, List<String> names) {}

    record FlattenKeys(String explode, Object fields, Object derive, String filter, boolean infer) {}

    record FieldKeys(
            FieldType type,
            String path,
            String from,
            String fallback,
            String nullText,
            boolean required,
            int scale,
            String format,
            ZoneId zone,
            String decimal,
            String thousands) {}

    record TimeKeys(String field, boolean source, Duration disorder, Duration idle, Duration ahead) {}

    record AggregateKeys(
            List<String> groupBy,
            Map<String, String> measures,
            String having,
            TopKeys top,
            List<String> orderBy,
            long limit,
            WindowLength every,
            WindowLength slide,
            Object zone,
            Duration lateness,
            Duration early,
            AggregateSpec.Unique unique,
            AggregateSpec.Limits limits) {

        /** Returns the same keys with other dimensions. */
        AggregateKeys groupedBy(List<String> names) {
            return new AggregateKeys(
                    names, measures, having, top, orderBy, limit, every, slide, zone, lateness, early, unique, limits);
        }
    }

    record TopKeys(long rows, List<String> per, List<String> by) {}

    KeyTable(Class<? extends Record> section, String rows) {
        this.section = section;
        this.keys = rows.lines().map(row -> SectionKey.of(section, row)).toList();
    }

    /** Returns the meaning and the default of a key, as a command's help states them. */
    public String help(String name) {
        SectionKey key = keys.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        String otherwise = key.otherwise().equals("false") ? "" : key.otherwise() + key.usually();
        String text = key.meaning() + "." + (otherwise.isEmpty() ? "" : " Default: " + otherwise + ".");
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1).replace("`", "");
    }

    List<SectionKey> keys() {
        return keys;
    }

    /** Returns the keys of the section that is read into a record. */
    static List<SectionKey> of(Class<? extends Record> section) {
        return Arrays.stream(values())
                .filter(table -> table.section == section)
                .findFirst()
                .orElseThrow()
                .keys;
    }
}
