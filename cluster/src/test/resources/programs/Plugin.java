package com.extra;

/** Lies in a jar of topology.classpath, and wants a class of the program's own. */
public class Plugin implements com.acme.Contract.Pluggable {
    @Override
    public String name() {
        return "plugged";
    }
}
