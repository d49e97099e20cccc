"""Gives the agent a task and prints its answer while it arrives; standard library alone.

    NETA_URL=http://127.0.0.1:7001 NETA_API_KEY=... python3 ask.py "list the files"
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

URL = os.environ.get("NETA_URL", "http://127.0.0.1:7001")
TRIES = 5


def call(method, path, body=None, headers=None):
    """Returns the open response. Repeats what failed for a while; the Idempotency-Key makes that safe."""
    all_headers = {"content-type": "application/json", **(headers or {})}
    if os.environ.get("NETA_API_KEY"):
        all_headers["authorization"] = "Bearer " + os.environ["NETA_API_KEY"]
    data = None if body is None else json.dumps(body).encode()
    for attempt in range(TRIES):
        request = urllib.request.Request(URL + path, data, all_headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            problem = json.load(error)["error"]
            if not problem["retryable"] or attempt == TRIES - 1:
                sys.exit(f"{problem['code']}: {problem['message']}")
            time.sleep(problem.get("retryAfterMs", 1000 * 2**attempt) / 1000)
        except OSError:
            if attempt == TRIES - 1:
                raise
            time.sleep(2**attempt)


def events(run_id):
    """Yields each event once and in order, over broken connections, until run_end."""
    last_id = "0"
    while True:
        stream = call("GET", f"/api/v1/runs/{run_id}/events", headers={"accept": "text/event-stream", "last-event-id": last_id})
        try:
            for line in stream:
                name, _, value = line.decode().rstrip("\n").partition(": ")
                if name == "id":
                    last_id = value
                elif name == "data":
                    event = json.loads(value)
                    yield event
                    if event["type"] == "run_end":
                        return
        except OSError:
            pass  # The next connection continues behind last_id.


def main():
    headers = {"prefer": "respond-async", "idempotency-key": str(uuid.uuid4())}
    run = json.load(call("POST", "/api/v1/runs", {"input": " ".join(sys.argv[1:])}, headers))
    for event in events(run["runId"]):
        if event["type"] == "text_delta":
            print(event["data"]["text"], end="", flush=True)
    print()
    sys.exit(0 if event["data"]["status"] == "completed" else 1)


main()
