package com.extra;

/** A class in a jar of topology.classpath that needs a class of the program. */
public class Plugin implements com.acme.Contract.Pluggable {
    @Override
    public String name() {
        return "plugged";
    }
}
