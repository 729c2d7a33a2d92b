# The reader opens the pipe, so that we can, and is gone before the first byte.
mkfifo pipe
true <pipe &
exec 4>pipe
wait
"$DENSEVAL" --help >&4
