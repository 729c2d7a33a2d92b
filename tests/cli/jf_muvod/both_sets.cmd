. "$CLI/make_scene.sh"
# Object 9 enters after the reference frame: it is of the complete set alone.
"$PYTHON" "$CLI/make_masks.py" pred/hall/b 12x16 3 2:1,1,4,4 9:6,8,4,4@1-2
run --json >found.json
$JSON jf_mean j_mean scenes.0.object_counts.objects scenes.0.complete.object_counts.objects scenes.0.jf_dynamic scenes.0.complete.jf_dynamic scenes.0.cameras.1.j scenes.0.complete.cameras.1.j <found.json
run --set complete --json | $JSON settings.set scenes.0.object_counts.objects scenes.0.basic.object_counts.objects
