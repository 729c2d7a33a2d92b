"$PYTHON" "$CLI/make_pictures.py" --without a
"$DENSEVAL" overlay --images pictures --pred pred --out out --json | $JSON pictures pictures_without_prediction
ls out
