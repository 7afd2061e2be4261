package io.updraft.cli;

import io.updraft.base.exit.ExitCode;
import io.updraft.base.exit.UserError;
import io.updraft.cli.view.LineWriter;
import io.updraft.console.access.UiSettings;
import io.updraft.console.cluster.ClusterConsole;
import io.updraft.console.cluster.NimbusSeeds;
import io.updraft.observe.signal.Signals;
import io.updraft.storm.conf.ConfigException;
import io.updraft.storm.conf.StormConfig;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Serves the console of a Storm cluster. */
@Command(
        name = "ui",
        header = "Serves the web console of a Storm cluster, with Storm's workers or Updraft's.",
        description = {
            "",
            "The console reads Nimbus, at most once a second for all pages together. A run of Updraft has a console of"
                    + " its own ('updraft run'). Ctrl-C ends the console; the cluster does not notice.",
            ""
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Examples:",
            "  updraft ui --nimbus nimbus.example.com",
            "  updraft ui --nimbus nimbus1,nimbus2:6627 --ui-port 8080",
            "  updraft ui --config /etc/storm/storm.yaml",
            "",
            "Exit codes: 0 ended by Ctrl-C, 1 no Nimbus answers, 2 bad input."
        })
final class UiCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--nimbus",
            paramLabel = "HOST[:PORT]",
            split = ",",
            description = "Nimbus of the cluster; several daemons are separated by commas. Default: nimbus.seeds and"
                    + " nimbus.thrift.port (6627) of --config and -c.")
    private List<String> nimbus = new ArrayList<>();

    @Option(
            names = {"-c", "--conf"},
            paramLabel = "KEY=VALUE",
            description = "Set a configuration key of Storm's client, over that of --config. Repeatable.")
    private List<String> options = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "Read the settings of Storm's client, such as security plug-ins, from a storm.yaml. Repeatable;"
                            + " the last file wins.")
    private List<Path> files = new ArrayList<>();

    @Mixin
    private UiOptions ui;

    @Override
    public Integer call() throws InterruptedException {
        String complaint = ui.complaint();
        if (complaint == null && !ui.settings().enabled()) {
            complaint = "--no-ui leaves nothing to do";
        }
        if (complaint != null) {
            throw new ParameterException(spec.commandLine(), complaint);
        }
        Map<String, Object> conf = conf();
        NimbusSeeds seeds = NimbusSeeds.of(conf, nimbus, ClusterConsole.TIMEOUT);
        CountDownLatch ended = new CountDownLatch(1);
        for (String signal : List.of("INT", "TERM", "HUP")) {
            Signals.handle(signal, ended::countDown);
        }
        PrintWriter err = new LineWriter(spec.commandLine().getErr());
        ClusterConsole console = ClusterConsole.open(seeds, demanded(ui.settings()), conf, line -> {
            err.println(line);
            err.flush();
        });
        try {
            ended.await();
            return ExitCode.OK;
        } finally {
            console.close();
        }
    }

    private Map<String, Object> conf() {
        try {
            return StormConfig.read(files, options).daemon();
        } catch (ConfigException e) {
            throw new UserError(e.getMessage(), e);
        }
    }

    /** Returns settings with which a port that cannot be opened is an error: there would be nothing else. */
    private static UiSettings demanded(UiSettings settings) {
        return new UiSettings(
                true,
                true,
                settings.port(),
                settings.host(),
                settings.users(),
                settings.names(),
                settings.readOnly(),
                settings.certificate(),
                settings.key());
    }
}
