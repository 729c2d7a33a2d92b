# A table that cannot be written: no folder is left, and an older one stays.
"$PYTHON" "$CLI/make_results.py"
"$DENSEVAL" viewpoint analyze --plots none --results results.json --out old --quiet >old.txt
(ulimit -f 1; "$DENSEVAL" viewpoint analyze --plots none --results results.json --out new)
echo $?
(ulimit -f 1; "$DENSEVAL" viewpoint analyze --plots none --results results.json --out old --force)
echo $?
ls -A | grep -v txt
ls old | wc -l
