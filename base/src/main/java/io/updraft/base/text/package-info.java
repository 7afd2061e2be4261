/** Text for people. */
package io.updraft.base.text;
