. "$CLI/make_scene.sh"
# It is given, so that a prediction need not repeat it.
rm pred/hall/a/00000.png
run --json | $JSON j_mean sequences.0.frames
run --reference-frame include
