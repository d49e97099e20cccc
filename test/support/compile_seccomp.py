"""Compiles a seccomp profile of Docker for this machine: compile_seccomp.py PROFILE FILE. Needs Debian's python3-seccomp."""

import json
import sys

import seccomp

with open(sys.argv[1]) as file:
    profile = json.load(file)

compiled = seccomp.SyscallFilter(seccomp.ALLOW)
for rule in profile["syscalls"]:
    conditions = [seccomp.Arg(one["index"], seccomp.EQ, one["value"]) for one in rule.get("args", [])]
    for name in rule["names"]:
        compiled.add_rule(seccomp.ERRNO(rule["errnoRet"]), name, *conditions)

with open(sys.argv[2], "wb") as file:
    compiled.export_bpf(file)
