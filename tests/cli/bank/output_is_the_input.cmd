# Not even --force overwrites an input, by whatever name.
"$PYTHON" "$CLI/make_features.py" f.h5
ln -s f.h5 link.h5
"$DENSEVAL" bank build --features f.h5 --out f.h5 --force
echo $?
"$DENSEVAL" bank build --features link.h5 --out f.h5 --force
echo $?
"$DENSEVAL" info f.h5 --quiet >/dev/null && echo "the input stands"
