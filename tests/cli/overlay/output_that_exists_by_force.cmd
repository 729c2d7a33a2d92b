# What was there is gone, once the new folder is complete.
"$PYTHON" "$CLI/make_pictures.py"
mkdir out; touch out/.denseval-result
echo mine >out/old.png
"$DENSEVAL" overlay --images pictures --pred pred --out out --force --quiet >/dev/null
ls out
