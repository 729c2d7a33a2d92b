. "$CLI/objects/targets.sh"
rm truth/car/00002.png
rm -r pred/sign
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --skip-bad
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --skip-bad --json 2>err | $JSON targets.0.iou targets.0.views_scored targets.1.iou left_out_views partial
