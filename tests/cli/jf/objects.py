"""Prints the objects of a sequence, a JSON list on standard input, in a line: "1: J 1 over 4, 2: J 0.75 over 4"."""
import json
import sys

print(", ".join(f"{o['id']}: J {o['j_mean']:g} over {o['frames']}" for o in json.load(sys.stdin)))
