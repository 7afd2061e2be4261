/** Storm's configuration: defaults, storm.yaml, options, and values that are not shown. */
package io.updraft.storm.conf;
