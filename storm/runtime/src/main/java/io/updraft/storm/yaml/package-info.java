/** A reader of mappings in YAML with the positions of mistakes. The caller's parser decides which version of YAML it reads. */
package io.updraft.storm.yaml;
