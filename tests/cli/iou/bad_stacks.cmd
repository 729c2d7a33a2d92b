# HDF5 stacks of another type, shape or count, and SEG-13: labels as fractions.
. "$CLI/iou/maps.sh"
"$PYTHON" - <<'END'
import h5py
import numpy as np
zeros = np.zeros
stacks = {"fractions": (zeros((2, 4, 8), np.float32), 2), "signed": (zeros((2, 4, 8), np.int16), 2),
          "wide": (zeros((2, 4, 8), np.uint32), 2), "flat": (zeros((4, 8), np.uint8), 0),
          "deep": (zeros((2, 4, 8, 3), np.uint8), 0), "low": (zeros((2, 4, 7), np.uint8), 2),
          "empty": (zeros((0, 4, 8), np.uint8), 0), "fewer": (zeros((2, 4, 8), np.uint8), 1),
          "none": (None, 2), "no_schema": (zeros((2, 4, 8), np.uint8), 2),
          "twice": (zeros((2, 4, 8), np.uint16), -2), "good": (zeros((2, 4, 8), np.uint16), 2)}
for name, (labels, n_ids) in stacks.items():
    with h5py.File(f"{name}.h5", "w") as f:
        if name != "no_schema":
            f.attrs["schema"] = "denseval masks v1"
        if labels is not None:
            f["labels"] = labels
        if n_ids:
            f["image_id"] = ["a"] * 2 if n_ids < 0 else ["a", "b"][:n_ids]
END
for name in fractions signed wide flat deep low empty fewer none no_schema twice; do
    "$DENSEVAL" iou --truth good.h5 --pred $name.h5 --classes 3
    echo $name $?
done
"$DENSEVAL" iou --truth good.h5 --pred good.h5 --classes 3 --json --quiet | $JSON miou
