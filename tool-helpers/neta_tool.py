"""Speaks the protocol of manifest tools, so that an author writes functions only. Works for the types sync, async and service.

    from neta_tool import serve

    def greet(parameters, call):
        return {"text": "Hello " + parameters["name"]}

    serve(greet=greet)

A function gets the parameters and returns the result, or Answer(...). An exception becomes the error of the call. `call` has `command`,
`settings`, `context` and `progress(text)`.
"""

import base64
import json
import os
import sys
import traceback

HEALTH = "__health__"


class Answer:
    """`message`: what the model reads instead of the result. `data`: bytes, sent as base64."""

    def __init__(self, result=None, message=None, data=None):
        self.result = result
        self.message = message
        self.data = data

    def fields(self):
        fields = {"result": self.result, "message": self.message}
        if self.data is not None:
            fields["base64"] = base64.b64encode(self.data).decode("ascii")
        return {name: value for name, value in fields.items() if value is not None}


class Call:
    def __init__(self, request, write):
        self.id = request.get("id")
        self.command = request.get("command")
        self.settings = request.get("settings") or {}
        self.context = request.get("context") or {}
        self._write = write

    def progress(self, text):
        self._write({"id": self.id, "progress": str(text)})


def serve(function=None, **commands):
    """Answers requests until stdin ends. One function for all commands, or one for each command by its name."""
    output = sys.stdout
    # stdout carries answers only; what a program prints goes to the log of the gateway.
    sys.stdout = sys.stderr

    def write(value):
        output.write(json.dumps(value, ensure_ascii=False) + "\n")
        output.flush()

    if os.environ.get("NETA_TOOL_TYPE") == "service":
        write({"ready": True})
    # readline, because iterating over stdin reads ahead.
    for line in iter(sys.stdin.readline, ""):
        if line.strip():
            _handle(json.loads(line), function, commands, write)


def _handle(request, function, commands, write):
    call = Call(request, write)
    if call.command == HEALTH:
        write({"id": call.id, "status": "success"})
        return
    run = function or commands.get(call.command)
    if run is None:
        write({"id": call.id, "status": "error", "error": "There is no command %s." % call.command})
        return
    try:
        value = run(request.get("parameters") or {}, call)
        fields = value.fields() if isinstance(value, Answer) else {"result": value}
        write({"id": call.id, "status": "success", **fields})
    except Exception as error:
        write({"id": call.id, "status": "error", "error": str(error) or type(error).__name__})
        traceback.print_exc()
