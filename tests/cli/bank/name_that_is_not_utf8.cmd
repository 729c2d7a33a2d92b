# R4: names are bytes.
name=$(printf 'caf\351.h5')
"$PYTHON" "$CLI/make_features.py" f.h5
mv f.h5 "$name"
"$DENSEVAL" bank build --features "$name" --out bank.h5 --json | $JSON rows inputs.0.path
