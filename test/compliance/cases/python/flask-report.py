import os
import sqlite3
import subprocess
from flask import Flask, request, abort

app = Flask(__name__)
REPORTS = {"daily": "daily.sql", "weekly": "weekly.sql"}


def connection():
    return sqlite3.connect("app.db")


def run(command):
    return subprocess.check_output(command, shell=True)  # expect: CWE-78


@app.route("/report/<name>")
def report(name):
    if name not in REPORTS:
        abort(404)
    return run("generate " + REPORTS[name])


@app.route("/ping")
def ping():
    return run("ping -c 1 " + request.args.get("host", ""))


@app.route("/user")
def user():
    db = connection()
    by_id = db.execute("SELECT * FROM users WHERE id = %d" % int(request.args["id"]))
    query = "SELECT * FROM users WHERE name = '{}'".format(request.args["name"])
    by_name = db.execute(query)  # expect: CWE-89
    return {"rows": list(by_id) + list(by_name)}
