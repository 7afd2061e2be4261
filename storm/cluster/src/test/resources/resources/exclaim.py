"""A bolt in another language: adds an exclamation mark."""
import json
import os
import sys


def read():
    lines = []
    for line in iter(sys.stdin.readline, ""):
        if line == "end\n":
            return json.loads("".join(lines))
        lines.append(line)
    sys.exit(0)


def send(message):
    sys.stdout.write(json.dumps(message) + "\nend\n")
    sys.stdout.flush()


start = read()
open(os.path.join(start["pidDir"], str(os.getpid())), "w").close()
send({"pid": os.getpid()})
while True:
    message = read()
    if message.get("stream") == "__heartbeat":
        send({"command": "sync"})
    elif "id" in message:
        send({"command": "emit", "anchors": [message["id"]], "tuple": [message["tuple"][0] + "!"], "need_task_ids": False})
        send({"command": "ack", "id": message["id"]})
