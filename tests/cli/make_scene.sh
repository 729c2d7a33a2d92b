# make_scene.sh: one scene of two cameras, "hall": masks in truth and pred (perfect), and its metadata, scenes.json.
for camera in a b; do
    for side in truth pred; do
        "$PYTHON" "$CLI/make_masks.py" $side/hall/$camera 12x16 3 2:1,1,4,4 9:6,6,4,4@1-2
    done
done
cat >scenes.json <<'END'
{"schema": "muvod-scenes v1", "scenes": {"hall": {
 "rig": ["x", "a", "b", "c", "d"], "initial_camera": "a", "cameras": ["a", "b"],
 "frames": ["00000", "00001", "00002"], "reference_frame": "00000", "height": 12, "width": 16,
 "objects": {"2": {"motion": "static", "name": "door"}, "9": {"motion": "dynamic", "name": "ball"}}}}}
END
run() {
    "$DENSEVAL" jf --protocol muvod --truth truth --pred pred --meta scenes.json "$@"
}
