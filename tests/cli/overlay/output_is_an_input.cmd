"$PYTHON" "$CLI/make_pictures.py"
"$DENSEVAL" overlay --images pictures --pred pred --out pictures --force
echo $?
"$DENSEVAL" overlay --images pictures --pred pred --out pred --force
echo $?
