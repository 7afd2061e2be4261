package io.updraft.plugin;

import org.apache.storm.validation.ConfigValidationAnnotations.Password;
import org.apache.storm.validation.Validated;

/**
 * The configuration keys that Nimbus reads or writes. Storm finds this class by its name, and therefore does not log the
 * secret.
 */
public final class UpdraftKeys implements Validated {

    // Storm warns of each public key of this class that has no annotation of a validator. UpdraftValidator checks these
    // two keys.

    /** Whether Updraft's workers run a topology. In {@code storm.yaml}: the default for all topologies. False if not set. */
    static final String ENABLED = "topology.updraft.enabled";

    /** In {@code storm.yaml}: the class of the validator that is called before Updraft's. */
    static final String NEXT = "updraft.nimbus.topology.validator";

    /** The secret by which the workers of a topology authenticate each other. Nimbus creates one for each topology. */
    @Password
    public static final String SECRET = "updraft.topology.secret";

    private UpdraftKeys() {}
}
