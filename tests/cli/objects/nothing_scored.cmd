# Every target is hidden in all its views.
. "$CLI/objects/targets.sh"
for target in car sign chair gone; do make truth/$target 1:0,0,1,1@0-0; done
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred
echo $?
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --allow-empty --json | $JSON categories.all.n categories.all.mean targets.0.iou mean_of_category_means
