/** Failures and spelling mistakes as text. */
package io.updraft.storm.text;
