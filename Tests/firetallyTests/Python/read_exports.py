"""Reads exports of one table with pyarrow and DuckDB and compares each value with SQLite's own.

read_exports.py DATABASE TABLE FILE...: prints 'ok FILE' for each file that is equal. With
FIRETALLY_SPARK=1 Spark reads them as well (pip install pyspark, Java 17), which takes half a minute.
"""
import base64
import json
import os
import sqlite3
import sys

import duckdb
import pyarrow.parquet


def rows(database, table):
    cursor = sqlite3.connect(database).execute(f'SELECT * FROM "{table}"')
    return [column[0] for column in cursor.description], cursor.fetchall()


def equal(found, wanted):
    return len(found) == len(wanted) and all(
        len(one) == len(other)
        and all(a == b and type(a) is type(b) for a, b in zip(one, other))
        for one, other in zip(found, wanted))


def decoded(value):
    if isinstance(value, dict) and value.get("$base64"):
        return base64.b64decode(value["encoded"])
    return float(value) if value in ("Infinity", "-Infinity") else value


def by_spark(file):
    """The columns and the rows in their order."""
    from pyspark.sql import SparkSession
    # Java prints warnings about itself.
    errors = os.dup(2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    os.dup2(errors, 2)
    read = session.read.parquet(file)
    return read.columns, [
        tuple(bytes(value) if isinstance(value, bytearray) else value for value in row)
        for row in read.toLocalIterator()]


def check(file, reader, found, wanted):
    if found[0] != wanted[0] or not equal(found[1], wanted[1]):
        pairs = [
            (a, b) for one, other in zip(found[1], wanted[1]) for a, b in zip(one, other)
            if a != b or type(a) is not type(b)]
        sys.exit(f"{file} by {reader}: {found[0]}, {len(found[1])} rows, {pairs[:5]}")


def order(value):
    return value.encode() if isinstance(value, str) else value


def check_statistics(file, names, wanted):
    """Holds the bounds of each row group against its values, and queries that skip by them."""
    metadata = pyarrow.parquet.ParquetFile(file).metadata
    start = 0
    for number in range(metadata.num_row_groups):
        group = metadata.row_group(number)
        part = wanted[start:start + group.num_rows]
        start += group.num_rows
        for column, name in enumerate(names):
            values = [row[column] for row in part if row[column] is not None]
            found = group.column(column).statistics
            place = f"{file}: row group {number}, {name}"
            if found is None or found.null_count != len(part) - len(values):
                sys.exit(f"{place}: NULLs {found}")
            if not values or isinstance(values[0], bytes):
                if found.has_min_max:
                    sys.exit(f"{place}: bounds of nothing")
                continue
            if not found.has_min_max:
                sys.exit(f"{place}: no bounds")
            low, high = order(found.min), order(found.max)
            least, greatest = min(map(order, values)), max(map(order, values))
            is_near = isinstance(least, bytes) and low <= least and high >= greatest
            if not is_near and (low, high) != (least, greatest):
                sys.exit(f"{place}: {low} to {high} for {least} to {greatest}")
    for column, name in enumerate(names):
        values = [row[column] for row in wanted if row[column] is not None]
        for value in {values[0], values[-1]} if values else ():
            found = duckdb.execute(
                f"""SELECT count(*) FROM '{file}' WHERE "{name}" = ?""", [value]).fetchall()
            if found != [(values.count(value),)]:
                sys.exit(f"{file}: {found} rows where {name} is {value!r}")


def main():
    database, table, *files = sys.argv[1:]
    wanted = rows(database, table)
    for file in files:
        if file.endswith(".parquet"):
            read = pyarrow.parquet.read_table(file)
            found = [tuple(row.values()) for row in read.to_pylist()]
            check(file, "pyarrow", (read.column_names, found), wanted)
            read = duckdb.sql(f"SELECT * FROM '{file}'")
            check(file, "DuckDB", (read.columns, read.fetchall()), wanted)
            check_statistics(file, *wanted)
            if os.environ.get("FIRETALLY_SPARK") == "1":
                check(file, "Spark", by_spark(file), wanted)
        elif file.endswith(".ndjson"):
            with open(file, encoding="utf-8") as lines:
                objects = [json.loads(line) for line in lines]
            found = [tuple(decoded(value) for value in one.values()) for one in objects]
            check(file, "json", (list(objects[0]) if objects else wanted[0], found), wanted)
        else:
            check(file, "sqlite3", rows(file, table), wanted)
        print("ok", file.rsplit("/", 1)[-1])


main()
