. "$CLI/make_scene.sh"
"$PYTHON" "$CLI/make_masks.py" pred/hall/b 12x16 3 2:1,1,4,4 5:0,8,2,2@1-1
run
status=$?
run --extra-ids ignore --json | $JSON jf_mean extra_ids.0.id extra_ids.0.pixels
exit $status
