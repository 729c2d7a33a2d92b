# One number a target by each rule; "gone" has none but over all views.
. "$CLI/objects/targets.sh"
for views in shown all pooled first; do
    "$DENSEVAL" objects --targets targets.json --truth truth --pred pred --views $views --json | $JSON settings.views targets.0.iou targets.1.iou targets.2.iou targets.3.iou categories.all.mean
done
