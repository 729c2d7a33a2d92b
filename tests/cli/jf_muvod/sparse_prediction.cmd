. "$CLI/make_scene.sh"
"$PYTHON" "$CLI/make_masks.py" sparse/hall/a 12x16 3 2:1,1,4,4
"$PYTHON" "$CLI/make_masks.py" sparse/hall/b 12x16 3 2:1,1,4,2
run --sparse-pred sparse --json | $JSON scenes.0.jf scenes.0.sparse_jf global.difference
run --sparse-pred sparse
