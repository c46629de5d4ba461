"""De-identify tables of Spark, as a job to submit.

    export SPACY_DEID_KEY=...
    spark-submit --master "local[2]" assets/spark_job.py notes/ out/ --text note --id id

On a cluster the key is in `spark.spacy_deid.secret` of a file of properties. The folder of
the output must not be there, or `--mode` says what becomes of it. The exit status is 1 if a
document failed: its row has the class of the error in `deid_error`.
"""

import argparse
import sys

from pyspark.sql import SparkSession

from spacy_deid.spark import deidentify


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("source")
    parser.add_argument("target")
    parser.add_argument("--text", action="append", required=True)
    parser.add_argument("--id")
    parser.add_argument("--subject")
    parser.add_argument("--field", action="append", default=[], metavar="NAME=TYPE")
    parser.add_argument("--scope")
    parser.add_argument("--model")
    parser.add_argument("--profile")
    parser.add_argument("--partitions", type=int)
    parser.add_argument("--format", default="parquet", help="or delta, orc, json")
    parser.add_argument("--mode", default="errorifexists")
    parser.add_argument("--master", help="where nothing submits it")
    args = parser.parse_args()
    names = ("scope", "model", "profile")
    settings = {n: getattr(args, n) for n in names if getattr(args, n) is not None}
    builder = SparkSession.builder.appName("spacy_deid")
    spark = (builder.master(args.master) if args.master else builder).getOrCreate()
    new = deidentify(
        spark.read.format(args.format).load(args.source),
        args.text,
        args.id,
        args.subject,
        columns=dict(field.rsplit("=", 1) for field in args.field),
        partitions=args.partitions,
        **settings,
    )
    new.write.format(args.format).mode(args.mode).save(args.target)
    done = spark.read.format(args.format).load(args.target)
    failed = done.where("deid_error is not null").count()
    print(f"{done.count()} documents, of which {failed} failed", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
