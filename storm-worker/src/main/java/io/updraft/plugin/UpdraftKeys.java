package io.updraft.plugin;

import org.apache.storm.validation.ConfigValidationAnnotations.Password;
import org.apache.storm.validation.Validated;

/** The keys that Nimbus reads or writes. Storm finds this class by its name, so that it logs no secret. */
public final class UpdraftKeys implements Validated {

    /** Whether Updraft's workers run a topology; in {@code storm.yaml} the default for all; else false. */
    public static final String ENABLED = "topology.updraft.enabled";

    /** In {@code storm.yaml}: the validator that is asked first. */
    public static final String NEXT = "updraft.nimbus.topology.validator";

    /** By which the workers of a topology know each other; Nimbus makes one for each topology. */
    @Password
    public static final String SECRET = "updraft.topology.secret";

    private UpdraftKeys() {}
}
