#!/usr/bin/env python3
"""Prints values of the one JSON object on standard input, a line each: json_value.py KEY.KEY.INDEX...

Fails where standard input is anything but exactly one object, or a key is not there. A NaN or an infinity is refused.
"""
import json
import sys


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


def pick(value, path):
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def main():
    whole = json.load(sys.stdin, parse_constant=refuse_constant)
    if not isinstance(whole, dict):
        sys.exit("no JSON object")
    for path in sys.argv[1:]:
        print(json.dumps(pick(whole, path)))


if __name__ == "__main__":
    main()
