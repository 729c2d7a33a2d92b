"$PYTHON" "$CLI/make_pictures.py"
mkdir out
echo mine >out/a.png
"$DENSEVAL" overlay --images pictures --pred pred --out out
status=$?
cat out/a.png
exit $status
