# HDF5 stacks, of masks and of a feature file, by row or by id; and folders in folders.
. "$CLI/iou/maps.sh"
"$PYTHON" - <<'END'
import h5py
import numpy as np
truth = np.zeros((2, 4, 8), np.uint16)
truth[0, :2, :4], truth[0, :2, 4:], truth[1, 0] = 1, 2, 255
for name, ids, schema in (("t", ["b/x", "a"], "features"), ("p", ["a", "b/x"], "masks"), ("rows", None, "masks")):
    with h5py.File(f"{name}.h5", "w") as f:
        f.attrs["schema"] = f"denseval {schema} v1"
        f["labels"] = truth if name != "p" else np.where(truth == 255, 0, truth)[::-1].astype(np.uint8)
        if ids:
            f["image_id"] = ids
END
"$DENSEVAL" iou --truth t.h5 --pred p.h5 --classes 3 --json | $JSON miou images confusion
mkdir -p deep/b/img
cp truth/00000.png deep/b/img/x.png
cp truth/00001.png deep/a.png
"$DENSEVAL" iou --truth t.h5 --pred deep --classes 3 --json | $JSON miou images
"$DENSEVAL" iou --truth rows.h5 --pred t.h5 --classes 3
