. "$CLI/objects/targets.sh"
"$DENSEVAL" objects --targets targets.json --truth truth --pred pred --json >out.json
$JSON schema command settings inputs.0.path inputs.1.path inputs.2.path <out.json
$JSON targets.1 <out.json | sed 's/, "view"/,\n"view"/g; s/}, {/},\n{/g'
$JSON categories.all categories.occluded mean_of_category_means <out.json | sed 's/, "/,\n"/g'
$JSON scenes.0.name scenes.0.n scenes.0.mean scenes.1.name scenes.1.n scenes.1.mean partial name <out.json
grep -c methods out.json
