/** Makes pipelines of SQL queries. */
package io.updraft.pipeline.sql;
