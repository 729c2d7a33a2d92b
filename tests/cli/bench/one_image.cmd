# The last quarter of the images are the queries.
"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" -c "
import h5py
with h5py.File(\"f.h5\", \"a\") as file:
    one = file[\"features\"][:1]
    for name in list(file):
        del file[name]
    file[\"features\"] = one
"
"$DENSEVAL" bench search --memory-limit 64MiB --features f.h5 --rows 30 --verify 1
