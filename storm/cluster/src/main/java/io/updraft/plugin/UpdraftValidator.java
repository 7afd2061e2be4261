package io.updraft.plugin;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.storm.Config;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.nimbus.DefaultTopologyValidator;
import org.apache.storm.nimbus.ITopologyValidator;
import org.apache.storm.utils.ReflectionUtils;
import org.apache.storm.utils.VersionInfo;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * Decides in Nimbus which topologies Updraft's workers run: a topology whose configuration sets {@link UpdraftKeys#ENABLED}, or
 * every topology if {@code storm.yaml} sets it and the topology does not unset it. The validator sets the version for which
 * Supervisors launch Updraft's worker. To keep another validator, name it under {@link UpdraftKeys#NEXT}.
 */
public final class UpdraftValidator implements ITopologyValidator {

    private static final Pattern MAJOR = Pattern.compile("(\\d+)\\..*");

    private static final int SECRET_BYTES = 32;

    private static final String CHECK = "io.updraft.cluster.supervised.SubmissionCheck";

    private final SecureRandom random = new SecureRandom();
    private final Check check;
    private ITopologyValidator next = new DefaultTopologyValidator();
    private Map<String, Object> nimbus = Map.of();
    private boolean enabledByDefault;

    /** Checks whether workers can run with a configuration. */
    @FunctionalInterface
    interface Check {
        void check(Map<String, Object> conf) throws InvalidTopologyException;
    }

    /** Creates a validator; {@link #prepare} must be called before it is used. */
    public UpdraftValidator() {
        this(UpdraftValidator::checkByLibraries);
    }

    UpdraftValidator(Check check) {
        this.check = check;
    }

    private static void checkByLibraries(Map<String, Object> conf) throws InvalidTopologyException {
        try (LibraryLoader loader = LibraryLoader.beside(UpdraftValidator.class)) {
            loader.loadClass(CHECK).getMethod("check", Map.class).invoke(null, conf);
        } catch (InvocationTargetException e) {
            throw new WrappedInvalidTopologyException(e.getCause().getMessage());
        } catch (ReflectiveOperationException | IOException e) {
            throw new IllegalStateException("extlib/updraft mixes several versions: unpack Updraft's archive again", e);
        }
    }

    /** Returns the key of Updraft's worker in {@code supervisor.worker.version.main.map} of this cluster. */
    static String versionKey() {
        return versionKey(VersionInfo.getVersion());
    }

    /** Returns the major version of a Storm, such as 2 for 2.8.3, and 999 as the minor version, which Storm itself never has. */
    static String versionKey(String stormVersion) {
        Matcher major = MAJOR.matcher(stormVersion);
        return (major.matches() ? major.group(1) : "2") + ".999";
    }

    @Override
    public void prepare(Map<String, Object> conf) {
        nimbus = conf;
        Object named = conf.get(UpdraftKeys.NEXT);
        if (named != null) {
            next = ReflectionUtils.newInstance(named.toString());
        }
        next.prepare(conf);
        try {
            enabledByDefault = isEnabled(conf, false);
        } catch (InvalidTopologyException e) {
            throw new IllegalArgumentException("storm.yaml: " + e.get_msg(), e);
        }
    }

    @Override
    public void validate(String name, Map<String, Object> conf, StormTopology topology)
            throws InvalidTopologyException {
        next.validate(name, conf, topology);
        if (isEnabled(conf, enabledByDefault)) {
            Map<String, Object> all = new HashMap<>(nimbus);
            all.putAll(conf);
            check.check(all);
            topology.set_storm_version(versionKey() + ".0");
            byte[] secret = new byte[SECRET_BYTES];
            random.nextBytes(secret);
            conf.put(Config.STORM_MESSAGING_TRANSPORT, NoStockWorker.class.getName());
            conf.put(UpdraftKeys.SECRET, Base64.getEncoder().encodeToString(secret));
        }
    }

    private static boolean isEnabled(Map<String, Object> conf, boolean otherwise) throws InvalidTopologyException {
        Object value = conf.get(UpdraftKeys.ENABLED);
        if (value == null) {
            return otherwise;
        }
        return switch (value.toString()) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new WrappedInvalidTopologyException(
                        UpdraftKeys.ENABLED + " is '" + value + "': it must be true or false");
        };
    }
}
