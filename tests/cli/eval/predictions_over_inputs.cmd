# Folders with inputs or with what is nobody's result are not replaced, --force or not.
mkdir data other
"$PYTHON" "$CLI/make_features.py" data/f.h5
echo mine >other/notes.txt
"$DENSEVAL" eval --features data/f.h5 --queries data/f.h5 -k 3 --predictions data --force
echo $?
"$DENSEVAL" eval --features data/f.h5 --queries data/f.h5 -k 3 --predictions other --force
echo $?
cat other/notes.txt
ls data
