# Truth from a folder, prediction from a stack; frames are joined by their stems.
"$PYTHON" "$CLI/make_masks.py" truth/a 10x10 4 1:0,0,4,4
"$PYTHON" - <<'END'
import h5py
import numpy as np
with h5py.File("pred.h5", "w") as f:
    f.attrs["schema"] = "denseval masks v1"
    masks = np.zeros((4, 10, 10), np.uint8)
    masks[:, :4, :2] = 1
    masks[0] = 0  # of frame 00002
    f["a"] = masks
    f["a"].attrs["frames"] = ["00002", "00003", "00000", "00001"]
END
"$DENSEVAL" jf --truth truth --pred pred.h5 --json | $JSON sequences.0.objects.0.j inputs.1.path
"$DENSEVAL" jf --truth pred.h5 --pred pred.h5 --json --quiet | $JSON sequences.0.frame_names same
