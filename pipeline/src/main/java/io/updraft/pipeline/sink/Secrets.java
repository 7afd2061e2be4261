package io.updraft.pipeline.sink;

import java.util.regex.Pattern;

/** Keeps passwords out of messages and logs. */
final class Secrets {

    private static final Pattern USER_INFO = Pattern.compile("(://[^/@:]*):[^/@]*@");
    private static final Pattern PARAMETER = Pattern.compile("(?i)([?&;][a-z]*password=)[^&;]*");

    private Secrets() {}

    /** An address with stars in place of its password. */
    static String hide(String address) {
        String hidden = USER_INFO.matcher(address).replaceAll("$1:***@");
        return PARAMETER.matcher(hidden).replaceAll("$1***");
    }
}
