# Side by side: a column a method, and in JSON the keys of the first on top.
. "$CLI/objects/targets.sh"
cp -r pred other
rm -r other/chair
cp -r truth/chair other/chair
"$DENSEVAL" objects --targets targets.json --truth truth --pred ours=pred,other/
"$DENSEVAL" objects --targets targets.json --truth truth --pred ours=pred,other/ --json | $JSON name categories.all.mean methods.0.name methods.0.categories.all.mean methods.1.name methods.1.categories.all.mean inputs.2.path inputs.3.path
