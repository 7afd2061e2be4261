/** Single values of a configuration. */
package io.updraft.base.conf;
