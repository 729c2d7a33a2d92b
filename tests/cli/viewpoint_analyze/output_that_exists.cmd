# Refused without --force; with it a folder of ours is replaced, and one that holds anything else is not.
"$PYTHON" "$CLI/make_results.py" --resources
"$DENSEVAL" viewpoint analyze --plots none --results results.json --out out --quiet >/dev/null
"$DENSEVAL" viewpoint analyze --plots none --results results.json --out out --quiet
echo $?
rm resources.json
"$DENSEVAL" viewpoint analyze --plots none --results results.json --out out --quiet --force >/dev/null
echo $?
ls out | grep -c runtime
echo mine >out/notes.md
"$DENSEVAL" viewpoint analyze --plots none --results results.json --out out --quiet --force
echo $?
cat out/notes.md
