. "$CLI/objects/targets.sh"
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out out --quiet >table
tail -1 table
ls out | grep -v '^iou'
head -3 out/per-target.csv
tail -5 out/per-view.csv
$JSON schema settings.views targets.0.iou <out/results.json
$JSON schema command <out/resources.json
grep -c '"resources"\|"backend"' out/results.json
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out out
echo $?
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out out --force --quiet >table
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --out pred --force
echo $?
