#!/bin/sh
# Runs the program and holds it once a block more is in its journal, so that a signal comes while there is work left,
# however fast or busy the machine is: until a signal comes, or the file $CALM says that none will.
out=
previous=
for word; do
    [ "$previous" = --out ] && out=$word
    previous=$word
done
[ "$out" ] || exec "$PROGRAM" "$@"
size_of() { stat -c %s "$out/run.journal" 2>/dev/null || echo 0; }

before=$(size_of)
"$PROGRAM" "$@" &
child=$!
trap 'asked=1; kill -USR1 $child; kill -CONT $child' USR1 TERM
while [ "$before" = 0 ] && kill -0 $child 2>/dev/null; do sleep 0.01; before=$(size_of); done
while [ ! -e "$CALM" ] && [ "$(size_of)" -le "$before" ] && kill -0 $child 2>/dev/null; do sleep 0.01; done
if [ ! -e "$CALM" ] && kill -STOP $child 2>/dev/null; then
    : >"$out.held"
    while [ ! -e "$CALM" ] && [ -z "${asked:-}" ]; do sleep 0.05; done
    rm -f "$out.held"
    kill -CONT $child 2>/dev/null
fi
while asked=; wait $child; status=$?; [ "$asked" ]; do :; done
exit $status
