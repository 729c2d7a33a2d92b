. "$CLI/objects/targets.sh"
"$PYTHON" "$CLI/make_masks.py" pred/car 4x9 3 1:0,0,4,4
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --skip-bad --json | $JSON targets.0.iou categories.dominant.mean left_out_views
