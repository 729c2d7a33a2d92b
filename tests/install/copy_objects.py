"""Copies into a configured build folder the objects that another one made by the very same commands, so that make does
not compile them again: what a second build has of its own is all that is compiled.

usage: copy_objects.py FROM TO
Without any such object, or where FROM is not built, nothing is copied and make compiles it all.
"""
import json
import pathlib
import shlex
import shutil
import sys


def commands(build):
    """Object, relative to the build folder -> the command that makes it."""
    made = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        name = pathlib.Path(entry["directory"], words[words.index("-o") + 1]).relative_to(build)
        made[name] = entry["command"]
    return made


def main():
    source, target = (pathlib.Path(folder).resolve() for folder in sys.argv[1:3])
    made = commands(source)
    for name, command in commands(target).items():
        if made.get(name) == command and (source / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name)


if __name__ == "__main__":
    main()
