#!/usr/bin/env python3
"""with_pending_signal.py SIGNAL PROGRAM ARGUMENT...: starts the program with that signal blocked and pending, so that it is the
first thing that a program which lets it in sees."""
import os
import signal
import sys


def main():
    number = getattr(signal, sys.argv[1])
    signal.pthread_sigmask(signal.SIG_BLOCK, [number])
    os.kill(os.getpid(), number)
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
