"$PYTHON" "$CLI/make_features.py" f.h5
"$PYTHON" - <<'EOF'
import h5py
with h5py.File("f.h5", "a") as file:
    values = file["features"][:]
    del file["features"]
    data = file.create_dataset("features", data=values, chunks=(1, 2, 3), compression="gzip")
    data.id.write_direct_chunk((2, 0, 0), b"this is no deflate stream")
EOF
"$DENSEVAL" bank build --features f.h5 --out b.h5 --json --skip-bad | $JSON rows skipped_images partial
